import { translations } from "../../../app/language/translations.ts";

export const sourcesPhrases = translations({
  sources: ["Sources", "المصادر"],
  fields: {
    source: ["Source", "المصدر"],
    state: ["State", "الحالة"],
    series: ["Stored over time", "المحفوظ عبر الزمن"],
    received: ["Received", "المستقبَل"],
    stored: ["Stored", "المحفوظ"],
    rejected: ["Refused", "المرفوض"],
    late: ["Late", "المتأخر"],
    lastSeen: ["Last log", "آخر سجل"],
    firstSeen: ["First log", "أول سجل"],
    watch: ["Silence", "الصمت"],
    timezone: ["Time zone", "المنطقة الزمنية"],
  },
  states: {
    silent: ["silent", "صامت"],
    refused: ["all refused", "كله مرفوض"],
    empty: ["nothing stored", "لم يُحفظ شيء"],
    unwatched: ["receiving, not monitored", "يرسل، غير مراقب"],
    sends: ["sends", "يرسل"],
  },
  silentFor: ["silent for {duration}", "صامت منذ {duration}"],
  /** What to do, `{time}` for silent. */
  advice: {
    silent: [
      "Silent since {time}, longer than this source ever is. Check whether the sender runs, whether it reaches this platform, and whether its API key has ended. Rules that need the source find nothing meanwhile.",
      "صامت منذ {time}، أطول مما اعتاد. تحقق: هل يعمل المرسل، وهل يصل إلى هذه المنصة، وهل انتهى مفتاحه؟ القواعد التي تحتاجه لا تجد شيئًا في هذه الأثناء.",
    ],
    refused: [
      "Every event was refused. Read the reasons in the dead letters, fix the sender, then replay them.",
      "رُفض كل حدث. اقرأ الأسباب في الرسائل الميتة وأصلح المرسل ثم أعد إرسالها.",
    ],
    empty: [
      "Events were received, but none is stored yet. If that stays so, look at the log store in System.",
      "وصلت أحداث ولم يُحفظ شيء منها بعد. إن بقي كذلك فانظر إلى مخزن السجلات في «النظام».",
    ],
    unwatched: ["Logs arrive. No alert is raised if it falls silent.", "يرسل. وإن صمت فلن يقول ذلك تنبيه."],
    sends: ["Logs arrive as usual.", "يرسل كعادته."],
  },
  overTime: ["Logs of {source} over time", "سجلات {source} عبر الزمن"],
  inTime: [
    "{count} in this time. Drag over the bars to search that time.",
    "{count} في هذه المدة. اسحب فوق الأعمدة لتبحث في تلك المدة.",
  ],
  noSeries: ["Nothing stored in this time.", "لم يُحفظ شيء في هذه المدة."],
  never: ["never", "أبدًا"],
  search: ["Search its logs", "ابحث في سجلاته"],
  deadLetters: ["Dead letters", "الرسائل الميتة"],
  watchOn: ["An alert is raised when it falls silent.", "يُرفع تنبيه إذا صمت."],
  watchOff: ["No alert is raised when it falls silent.", "لا يُرفع تنبيه إذا صمت."],
  startWatch: ["Monitor it", "راقبه"],
  stopWatch: ["Stop monitoring", "أوقف المراقبة"],
  stopWatchTitle: ["Stop monitoring this source?", "إيقاف مراقبة هذا المصدر؟"],
  stopWatchText: [
    "For a source that is silent by nature. If it breaks, you will not be alerted.",
    "لمصدر صامت بطبعه. وإن تعطّل فلن يصلك تنبيه.",
  ],
  zoneUtc: ["UTC, for times without a zone", "UTC، للأوقات بلا منطقة"],
  changeZone: ["Change", "غيّر"],
  zoneHint: [
    "For times without a zone, such as Europe/Berlin. Empty: UTC. Applies only to new logs.",
    "للأوقات التي لا تذكر منطقة، مثل Europe/Berlin. الفراغ: UTC. للسجلات القادمة فقط.",
  ],
  save: ["Save", "احفظ"],
  preview: ["Preview", "عاين"],
  cancel: ["Cancel", "إلغاء"],
  changed: ["Changed.", "تم التغيير."],
  empty: ["No source has sent anything", "لم يرسل أي مصدر شيئًا"],
  emptyText: [
    "Create an API key with the scope siem:ingest and give it to a log shipper.",
    "أنشئ مفتاح API بنطاق siem:ingest وأعطه لمرسل السجلات.",
  ],
});

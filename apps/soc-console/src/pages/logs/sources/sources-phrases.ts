import type { Translations } from "../../../app/language/translations.ts";
import type { SourceState } from "./source-state.ts";

interface SourcesPhrases {
  sources: string;
  fields: {
    source: string;
    state: string;
    series: string;
    received: string;
    stored: string;
    rejected: string;
    late: string;
    lastSeen: string;
    firstSeen: string;
    watch: string;
    timezone: string;
  };
  states: Readonly<Record<SourceState, string>>;
  /** `{duration}` */
  silentFor: string;
  /** What to do, `{time}` for silent. */
  advice: Readonly<Record<SourceState, string>>;
  /** `{source}` */
  overTime: string;
  /** `{count}` */
  inTime: string;
  noSeries: string;
  never: string;
  search: string;
  deadLetters: string;
  watchOn: string;
  watchOff: string;
  startWatch: string;
  stopWatch: string;
  stopWatchTitle: string;
  stopWatchText: string;
  zoneUtc: string;
  changeZone: string;
  zoneHint: string;
  save: string;
  preview: string;
  cancel: string;
  close: string;
  changed: string;
  empty: string;
  emptyText: string;
}

const english: SourcesPhrases = {
  sources: "Sources",
  fields: {
    source: "Source",
    state: "State",
    series: "Stored over time",
    received: "Received",
    stored: "Stored",
    rejected: "Refused",
    late: "Late",
    lastSeen: "Last log",
    firstSeen: "First log",
    watch: "Silence",
    timezone: "Time zone",
  },
  states: {
    silent: "silent",
    refused: "all refused",
    empty: "nothing stored",
    unwatched: "sends, not watched",
    sends: "sends",
  },
  silentFor: "silent for {duration}",
  advice: {
    silent:
      "Silent since {time}, longer than this source ever is. Check whether the sender runs, whether it reaches this platform, and whether its API key has ended. Rules that need the source find nothing meanwhile.",
    refused: "Every event was refused. Read the reasons in the dead letters, mend the sender, then replay them.",
    empty: "Events were received, but none is stored yet. If that stays so, look at the log store in System.",
    unwatched: "It sends. If it falls silent, no alert says so.",
    sends: "It sends as usual.",
  },
  overTime: "Logs of {source} over time",
  inTime: "{count} in this time. Drag over the bars to search that time.",
  noSeries: "Nothing stored in this time.",
  never: "never",
  search: "Search its logs",
  deadLetters: "Dead letters",
  watchOn: "An alert is raised when it falls silent.",
  watchOff: "No alert is raised when it falls silent.",
  startWatch: "Watch it",
  stopWatch: "Stop watching",
  stopWatchTitle: "Stop watching this source?",
  stopWatchText: "For a source that is silent by nature. If it breaks, you will not be alerted.",
  zoneUtc: "UTC, for times without a zone",
  changeZone: "Change",
  zoneHint: "Of times that name no zone, such as Europe/Berlin. Empty: UTC. Only for logs to come.",
  save: "Save",
  preview: "Preview",
  cancel: "Cancel",
  close: "Close",
  changed: "Changed.",
  empty: "No source has sent anything",
  emptyText: "Create an API key with the scope siem:ingest and give it to a log shipper.",
};

const arabic: SourcesPhrases = {
  sources: "المصادر",
  fields: {
    source: "المصدر",
    state: "الحالة",
    series: "المحفوظ عبر الزمن",
    received: "المستقبَل",
    stored: "المحفوظ",
    rejected: "المرفوض",
    late: "المتأخر",
    lastSeen: "آخر سجل",
    firstSeen: "أول سجل",
    watch: "الصمت",
    timezone: "المنطقة الزمنية",
  },
  states: {
    silent: "صامت",
    refused: "كله مرفوض",
    empty: "لم يُحفظ شيء",
    unwatched: "يرسل، غير مراقب",
    sends: "يرسل",
  },
  silentFor: "صامت منذ {duration}",
  advice: {
    silent:
      "صامت منذ {time}، أطول مما اعتاد. تحقق: هل يعمل المرسل، وهل يصل إلى هذه المنصة، وهل انتهى مفتاحه؟ القواعد التي تحتاجه لا تجد شيئًا في هذه الأثناء.",
    refused: "رُفض كل حدث. اقرأ الأسباب في الرسائل الميتة وأصلح المرسل ثم أعد إرسالها.",
    empty: "وصلت أحداث ولم يُحفظ شيء منها بعد. إن بقي كذلك فانظر إلى مخزن السجلات في «النظام».",
    unwatched: "يرسل. وإن صمت فلن يقول ذلك تنبيه.",
    sends: "يرسل كعادته.",
  },
  overTime: "سجلات {source} عبر الزمن",
  inTime: "{count} في هذه المدة. اسحب فوق الأعمدة لتبحث في تلك المدة.",
  noSeries: "لم يُحفظ شيء في هذه المدة.",
  never: "أبدًا",
  search: "ابحث في سجلاته",
  deadLetters: "الرسائل الميتة",
  watchOn: "يُرفع تنبيه إذا صمت.",
  watchOff: "لا يُرفع تنبيه إذا صمت.",
  startWatch: "راقبه",
  stopWatch: "أوقف المراقبة",
  stopWatchTitle: "إيقاف مراقبة هذا المصدر؟",
  stopWatchText: "لمصدر صامت بطبعه. وإن تعطّل فلن يصلك تنبيه.",
  zoneUtc: "UTC، للأوقات بلا منطقة",
  changeZone: "غيّر",
  zoneHint: "للأوقات التي لا تذكر منطقة، مثل Europe/Berlin. الفراغ: UTC. للسجلات القادمة فقط.",
  save: "احفظ",
  preview: "عاين",
  cancel: "إلغاء",
  close: "إغلاق",
  changed: "تم التغيير.",
  empty: "لم يرسل أي مصدر شيئًا",
  emptyText: "أنشئ مفتاح API بنطاق siem:ingest وأعطه لمرسل السجلات.",
};

export const sourcesPhrases: Translations<SourcesPhrases> = { en: english, ar: arabic };

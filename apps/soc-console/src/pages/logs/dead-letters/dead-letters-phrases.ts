import { translations } from "../../../app/language/translations.ts";

export const deadLettersPhrases = translations({
  deadLetters: ["Dead letters", "الرسائل الميتة"],
  fields: {
    at: ["Arrived", "وصل"],
    source: ["Source", "المصدر"],
    reason: ["Why it was refused", "سبب الرفض"],
    sender: ["Sender", "المرسل"],
    site: ["Site", "الموقع"],
    format: ["Format", "الصيغة"],
    event: ["The event", "الحدث"],
  },
  cut: ["cut off", "مقطوع"],
  cutText: [
    "It was longer than 1 MiB and is cut off: paste its whole text before you replay it.",
    "كان أطول من 1 MiB فقُطع: ألصق نصه الكامل قبل إعادة إرساله.",
  ],
  eventHint: ["A changed event is stored with you as its sender.", "الحدث المغيَّر يُحفظ وأنت مرسله."],
  replay: ["Replay unchanged", "أعد إرساله كما جاء"],
  replayChanged: ["Replay the changed event", "أعد إرسال الحدث المغيَّر"],
  replayAll: ["Replay all", "أعد إرسال الكل"],
  restore: ["Original", "كما جاء"],
  replayTitle: ["Replay {count}?", "إعادة إرسال {count}؟"],
  replayText: [
    "Each is parsed again unchanged and stored once. Events that are refused again stay here. Fix the cause first: a sender, a parser, a site.",
    "يُقرأ كل منها كما جاء ويُحفظ مرة واحدة، وما يُرفض ثانية يبقى هنا. أصلح السبب أولًا: مرسلًا أو قارئًا أو موقعًا.",
  ],
  letters: [
    { one: "# dead letter", other: "# dead letters" },
    { one: "رسالة واحدة", two: "رسالتين", few: "# رسائل", other: "# رسالة" },
  ],
  counting: ["Counting…", "جارٍ العد…"],
  maxText: ["At most 1,000 at once: the newest ones.", "ألف على الأكثر في المرة: الأحدث."],
  progress: ["{done} of {total}", "{done} من {total}"],
  stop: ["Stop", "أوقف"],
  cancel: ["Cancel", "إلغاء"],
  storedOne: ["Stored. The search finds it in a moment.", "حُفظ. يجده البحث بعد لحظة."],
  stored: [
    { one: "# event is stored.", other: "# events are stored." },
    { zero: "لم يُحفظ حدث.", one: "حُفظ حدث واحد.", two: "حُفظ حدثان.", few: "حُفظت # أحداث.", other: "حُفظ # حدثًا." },
  ],
  refused: [
    { one: "# is refused again.", other: "# are refused again." },
    { one: "رُفض واحد ثانية.", two: "رُفض اثنان ثانية.", few: "رُفضت # ثانية.", other: "رُفض # ثانية." },
  ],
  refusedAgain: ["It is refused again", "رُفض ثانية"],
  search: ["Search its source", "ابحث في مصدره"],
  empty: ["No dead letters", "لا رسائل ميتة"],
  emptyText: ["Every event that arrived could be stored.", "حُفظ كل حدث وصل."],
});

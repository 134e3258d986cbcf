import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";

interface DeadLettersPhrases {
  deadLetters: string;
  fields: { at: string; source: string; reason: string; sender: string; site: string; format: string; event: string };
  cut: string;
  cutText: string;
  eventHint: string;
  replay: string;
  replayChanged: string;
  replayAll: string;
  restore: string;
  /** `{count}` */
  replayTitle: string;
  replayText: string;
  letters: PluralForms;
  counting: string;
  maxText: string;
  /** `{done}`, `{total}` */
  progress: string;
  stop: string;
  cancel: string;
  close: string;
  storedOne: string;
  stored: PluralForms;
  refused: PluralForms;
  refusedAgain: string;
  search: string;
  empty: string;
  emptyText: string;
}

const english: DeadLettersPhrases = {
  deadLetters: "Dead letters",
  fields: {
    at: "Arrived",
    source: "Source",
    reason: "Why it was refused",
    sender: "Sender",
    site: "Site",
    format: "Format",
    event: "The event",
  },
  cut: "cut off",
  cutText: "It was longer than 1 MiB and is cut off: paste its whole text before you replay it.",
  eventHint: "A changed event is stored with you as its sender.",
  replay: "Replay as it came",
  replayChanged: "Replay the changed event",
  replayAll: "Replay all",
  restore: "As it came",
  replayTitle: "Replay {count}?",
  replayText:
    "Each is parsed again as it came and stored once; what is refused again stays here. Mend the cause first: a sender, a parser, a site.",
  letters: { one: "# dead letter", other: "# dead letters" },
  counting: "Counting…",
  maxText: "At most 1,000 at once: the newest ones.",
  progress: "{done} of {total}",
  stop: "Stop",
  cancel: "Cancel",
  close: "Close",
  storedOne: "Stored. The search finds it in a moment.",
  stored: { one: "# event is stored.", other: "# events are stored." },
  refused: { one: "# is refused again.", other: "# are refused again." },
  refusedAgain: "It is refused again",
  search: "Search its source",
  empty: "No dead letters",
  emptyText: "Every event that arrived could be stored.",
};

const arabic: DeadLettersPhrases = {
  deadLetters: "الرسائل الميتة",
  fields: {
    at: "وصل",
    source: "المصدر",
    reason: "سبب الرفض",
    sender: "المرسل",
    site: "الموقع",
    format: "الصيغة",
    event: "الحدث",
  },
  cut: "مقطوع",
  cutText: "كان أطول من 1 MiB فقُطع: ألصق نصه الكامل قبل إعادة إرساله.",
  eventHint: "الحدث المغيَّر يُحفظ وأنت مرسله.",
  replay: "أعد إرساله كما جاء",
  replayChanged: "أعد إرسال الحدث المغيَّر",
  replayAll: "أعد إرسال الكل",
  restore: "كما جاء",
  replayTitle: "إعادة إرسال {count}؟",
  replayText:
    "يُقرأ كل منها كما جاء ويُحفظ مرة واحدة، وما يُرفض ثانية يبقى هنا. أصلح السبب أولًا: مرسلًا أو قارئًا أو موقعًا.",
  letters: { one: "رسالة واحدة", two: "رسالتين", few: "# رسائل", other: "# رسالة" },
  counting: "جارٍ العد…",
  maxText: "ألف على الأكثر في المرة: الأحدث.",
  progress: "{done} من {total}",
  stop: "أوقف",
  cancel: "إلغاء",
  close: "إغلاق",
  storedOne: "حُفظ. يجده البحث بعد لحظة.",
  stored: { zero: "لم يُحفظ حدث.", one: "حُفظ حدث واحد.", two: "حُفظ حدثان.", few: "حُفظت # أحداث.", other: "حُفظ # حدثًا." },
  refused: { one: "رُفض واحد ثانية.", two: "رُفض اثنان ثانية.", few: "رُفضت # ثانية.", other: "رُفض # ثانية." },
  refusedAgain: "رُفض ثانية",
  search: "ابحث في مصدره",
  empty: "لا رسائل ميتة",
  emptyText: "حُفظ كل حدث وصل.",
};

export const deadLettersPhrases: Translations<DeadLettersPhrases> = { en: english, ar: arabic };

import { translations } from "../../../app/language/translations.ts";

export const proofPhrases = translations({
  title: ["Outbound activity proof", "إثبات أن شيئًا لم يغادر"],
  hint: [
    "Every request to another system is recorded before it is sent. The list of a time range is signed.",
    "كل طلب إلى نظام آخر يُكتب قبل إرساله. وقائمة مدة من الزمن موقعة.",
  ],
  verdicts: {
    nothing: ["Nothing left this platform from {from} to {to}.", "لم يغادر هذه المنصة شيء من {from} إلى {to}."],
    questions: [
      "Nothing was changed outside from {from} to {to}; only questions were asked.",
      "لم يتغير شيء في الخارج من {from} إلى {to}، بل طُرحت أسئلة فقط.",
    ],
    effects: [
      "Requests that change other systems left this platform between {from} and {to}.",
      "غادرت هذه المنصة طلبات تغيّر أنظمة أخرى بين {from} و{to}.",
    ],
    incomplete: [
      "From {from} to {to} the list is not complete: it proves nothing. Choose a later start.",
      "القائمة من {from} إلى {to} غير كاملة: لا تثبت شيئًا. اختر بداية لاحقة.",
    ],
  },
  sent: [
    { one: "# sent", other: "# sent" },
    { zero: "لم يُرسل شيء", one: "أُرسل واحد", two: "أُرسل اثنان", other: "أُرسل #" },
  ],
  recorded: [
    { one: "# only recorded", other: "# only recorded" },
    { zero: "لم يُسجل شيء فقط", one: "سُجل واحد فقط", two: "سُجل اثنان فقط", other: "سُجل # فقط" },
  ],
  refused: [
    { one: "# refused", other: "# refused" },
    { zero: "لم يُرفض شيء", one: "رُفض واحد", two: "رُفض اثنان", other: "رُفض #" },
  ],
  save: ["Save the signed proof", "احفظ الإثبات الموقع"],
  verify: ["Checked without this platform by: manara-soc verify", "يُفحص بلا هذه المنصة بالأمر: manara-soc verify"],
  entries: ["Outbound requests", "ما غادر"],
  purpose: ["Purpose", "الغرض"],
  destination: ["To", "إلى"],
  outcome: ["Outcome", "النتيجة"],
  time: ["Time", "الوقت"],
  answered: ["answered", "أُجيب"],
  failed: ["failed, may have arrived", "فشل، وربما وصل"],
  unknown: ["not known, may have arrived", "غير معروف، وربما وصل"],
  question: ["question", "سؤال"],
  effect: ["change", "تغيير"],
  starts: ["Modes in this time", "الأوضاع في هذه المدة"],
  start: ["{mode}, since {time}", "{mode}، منذ {time}"],
  modes: {
    dummy: ["Dummy", "تجريبي"],
    dry_run: ["Dry run", "تشغيل جاف"],
    real: ["Real", "حقيقي"],
  },
  more: [
    { one: "# more in the file", other: "# more in the file" },
    { one: "واحد آخر في الملف", two: "اثنان آخران في الملف", few: "# أخرى في الملف", other: "# أخرى في الملف" },
  ],
  key: ["Signed with the key", "موقع بالمفتاح"],
  range: ["Time of the proof", "مدة الإثبات"],
});

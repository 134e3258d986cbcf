import type { Mode } from "@soc/service/contract/foundation/runtime/runtime";
import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { ProofVerdict } from "./proof-verdict.ts";

interface ProofPhrases {
  title: string;
  hint: string;
  /** `{from}`, `{to}` */
  verdicts: Readonly<Record<ProofVerdict, string>>;
  sent: PluralForms;
  recorded: PluralForms;
  refused: PluralForms;
  save: string;
  verify: string;
  entries: string;
  purpose: string;
  destination: string;
  outcome: string;
  time: string;
  answered: string;
  failed: string;
  unknown: string;
  question: string;
  effect: string;
  starts: string;
  /** `{mode}`, `{time}` */
  start: string;
  modes: Readonly<Record<Mode, string>>;
  more: PluralForms;
  key: string;
  range: string;
}

export const proofPhrases: Translations<ProofPhrases> = {
  en: {
    title: "Proof that nothing left",
    hint: "Every request to another system is written down before it is sent. The list of a range of time is signed.",
    verdicts: {
      nothing: "Nothing left this platform from {from} to {to}.",
      questions: "Nothing was changed outside from {from} to {to}; only questions were asked.",
      effects: "Requests that change other systems left this platform between {from} and {to}.",
      incomplete: "From {from} to {to} the list is not complete: it proves nothing. Choose a later beginning.",
    },
    sent: { other: "# sent" },
    recorded: { other: "# only recorded" },
    refused: { other: "# refused" },
    save: "Save the signed proof",
    verify: "Checked without this platform by: manara-soc verify",
    entries: "What left",
    purpose: "Purpose",
    destination: "To",
    outcome: "Outcome",
    time: "Time",
    answered: "answered",
    failed: "failed, may have arrived",
    unknown: "not known, may have arrived",
    question: "question",
    effect: "change",
    starts: "Modes in this time",
    start: "{mode}, since {time}",
    modes: { dummy: "Dummy", dry_run: "Dry run", real: "Real" },
    more: { one: "# more in the file", other: "# more in the file" },
    key: "Signed with the key",
    range: "Time of the proof",
  },
  ar: {
    title: "إثبات أن شيئًا لم يغادر",
    hint: "كل طلب إلى نظام آخر يُكتب قبل إرساله. وقائمة مدة من الزمن موقعة.",
    verdicts: {
      nothing: "لم يغادر هذه المنصة شيء من {from} إلى {to}.",
      questions: "لم يتغير شيء في الخارج من {from} إلى {to}، بل طُرحت أسئلة فقط.",
      effects: "غادرت هذه المنصة طلبات تغيّر أنظمة أخرى بين {from} و{to}.",
      incomplete: "القائمة من {from} إلى {to} غير كاملة: لا تثبت شيئًا. اختر بداية لاحقة.",
    },
    sent: { zero: "لم يُرسل شيء", one: "أُرسل واحد", two: "أُرسل اثنان", other: "أُرسل #" },
    recorded: { zero: "لم يُسجل شيء فقط", one: "سُجل واحد فقط", two: "سُجل اثنان فقط", other: "سُجل # فقط" },
    refused: { zero: "لم يُرفض شيء", one: "رُفض واحد", two: "رُفض اثنان", other: "رُفض #" },
    save: "احفظ الإثبات الموقع",
    verify: "يُفحص بلا هذه المنصة بالأمر: manara-soc verify",
    entries: "ما غادر",
    purpose: "الغرض",
    destination: "إلى",
    outcome: "النتيجة",
    time: "الوقت",
    answered: "أُجيب",
    failed: "فشل، وربما وصل",
    unknown: "غير معروف، وربما وصل",
    question: "سؤال",
    effect: "تغيير",
    starts: "الأوضاع في هذه المدة",
    start: "{mode}، منذ {time}",
    modes: { dummy: "تجريبي", dry_run: "تشغيل جاف", real: "حقيقي" },
    more: { one: "واحد آخر في الملف", two: "اثنان آخران في الملف", few: "# أخرى في الملف", other: "# أخرى في الملف" },
    key: "موقع بالمفتاح",
    range: "مدة الإثبات",
  },
};

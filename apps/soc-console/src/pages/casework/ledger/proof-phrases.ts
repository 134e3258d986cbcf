import { translations } from "../../../app/language/translations.ts";

/** Reasons why a proof is rejected. */
export const proofFaultPhrases = translations({
  malformed: ["The ledger returned no valid proof.", "جواب السجل الموثّق ليس إثباتًا."],
  key: ["The key is not the one that the proof names.", "المفتاح ليس الذي يذكره الإثبات."],
  signature: ["A signature does not match: the statement was changed.", "توقيع لا يطابق: غُيّر النص."],
  entry: ["An entry was changed: its content does not have its hash.", "غُيّر مدخل: محتواه لا يطابق بصمته."],
  order: [
    "The chain is broken: an entry is missing, added or replaced.",
    "السلسلة منقطعة: مدخل ناقص أو مضاف أو مستبدل.",
  ],
  end: ["The end of the chain is not the one that was signed.", "نهاية السلسلة ليست التي وُقّعت."],
  root: ["The checkpoint does not belong to this chain.", "نقطة التحقق لا تخص هذه السلسلة."],
  path: ["The path does not lead to the signed root.", "المسار لا يقود إلى الجذر الموقّع."],
});

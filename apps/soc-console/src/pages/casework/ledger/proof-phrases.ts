import type { Translations } from "../../../app/language/translations.ts";
import type { ProofFault } from "./verify-bundle.ts";

/** Reasons why a proof is rejected. */
export const proofFaultPhrases: Translations<Record<ProofFault["kind"], string>> = {
  en: {
    malformed: "The ledger returned no valid proof.",
    key: "The key is not the one that the proof names.",
    signature: "A signature does not match: the statement was changed.",
    entry: "An entry was changed: its content does not have its hash.",
    order: "The chain is broken: an entry is missing, added or replaced.",
    end: "The end of the chain is not the one that was signed.",
    root: "The checkpoint does not belong to this chain.",
    path: "The path does not lead to the signed root.",
  },
  ar: {
    malformed: "جواب السجل الموثّق ليس إثباتًا.",
    key: "المفتاح ليس الذي يذكره الإثبات.",
    signature: "توقيع لا يطابق: غُيّر النص.",
    entry: "غُيّر مدخل: محتواه لا يطابق بصمته.",
    order: "السلسلة منقطعة: مدخل ناقص أو مضاف أو مستبدل.",
    end: "نهاية السلسلة ليست التي وُقّعت.",
    root: "نقطة التحقق لا تخص هذه السلسلة.",
    path: "المسار لا يقود إلى الجذر الموقّع.",
  },
};

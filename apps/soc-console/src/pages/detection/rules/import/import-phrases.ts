import type { Phrases, Translations } from "../../../../app/language/translations.ts";

const english = {
  title: "Import Sigma rules",
  back: "All rules",
  text: "Sigma rules, correlations and exports of this console: one YAML document each, up to 1,000 documents and 1 MiB.",
  yaml: "YAML",
  paste: "Paste rules here",
  file: "Or choose a file",
  tooLarge: "The file is larger than 1 MiB. Split it: the order does not matter.",
  enabled: "Enable the rules",
  import: "Import",
  preview: "Preview the import",
  accepted: { one: "# accepted", other: "# accepted" },
  refused: { one: "# refused", other: "# refused" },
  results: { created: "new", updated: "new version", unchanged: "unchanged" },
  document: "Document {n}",
  noneRead: "Nothing was imported",
  previewed: "Preview: nothing was stored.",
};

const arabic: Phrases<typeof english> = {
  title: "استيراد قواعد Sigma",
  back: "كل القواعد",
  text: "قواعد Sigma والارتباطات وما صدّرته هذه الواجهة: وثيقة YAML لكل منها، حتى 1000 وثيقة و1 ميبيبايت.",
  yaml: "YAML",
  paste: "ألصق القواعد هنا",
  file: "أو اختر ملفًا",
  tooLarge: "الملف أكبر من 1 ميبيبايت. قسّمه: لا يهم الترتيب.",
  enabled: "فعّل القواعد",
  import: "استورد",
  preview: "عاين الاستيراد",
  accepted: { one: "قُبلت واحدة", two: "قُبلت اثنتان", other: "قُبلت #" },
  refused: { one: "رُفضت واحدة", two: "رُفضت اثنتان", other: "رُفضت #" },
  results: { created: "جديدة", updated: "إصدار جديد", unchanged: "دون تغيير" },
  document: "الوثيقة {n}",
  noneRead: "لم يُستورد شيء",
  previewed: "معاينة: لم يُخزن شيء.",
};

export const importPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };

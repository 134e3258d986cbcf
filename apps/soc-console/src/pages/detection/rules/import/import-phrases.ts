import { translations } from "../../../../app/language/translations.ts";

export const importPhrases = translations({
  title: ["Import Sigma rules", "استيراد قواعد Sigma"],
  back: ["All rules", "كل القواعد"],
  text: [
    "Sigma rules, correlations and exports of this console: one YAML document each, up to 1,000 documents and 1 MiB.",
    "قواعد Sigma والارتباطات وما صدّرته هذه الواجهة: وثيقة YAML لكل منها، حتى 1000 وثيقة و1 ميبيبايت.",
  ],
  yaml: ["YAML", "YAML"],
  paste: ["Paste rules here", "ألصق القواعد هنا"],
  file: ["Or choose a file", "أو اختر ملفًا"],
  tooLarge: [
    "The file is larger than 1 MiB. Split it: the order does not matter.",
    "الملف أكبر من 1 ميبيبايت. قسّمه: لا يهم الترتيب.",
  ],
  enabled: ["Enable the rules", "فعّل القواعد"],
  import: ["Import", "استورد"],
  preview: ["Preview the import", "عاين الاستيراد"],
  accepted: [
    { one: "# accepted", other: "# accepted" },
    { one: "قُبلت واحدة", two: "قُبلت اثنتان", other: "قُبلت #" },
  ],
  refused: [
    { one: "# refused", other: "# refused" },
    { one: "رُفضت واحدة", two: "رُفضت اثنتان", other: "رُفضت #" },
  ],
  results: {
    created: ["new", "جديدة"],
    updated: ["new version", "إصدار جديد"],
    unchanged: ["unchanged", "دون تغيير"],
  },
  document: ["Document {n}", "الوثيقة {n}"],
  noneRead: ["Nothing was imported", "لم يُستورد شيء"],
  previewed: ["Preview: nothing was stored.", "معاينة: لم يُخزن شيء."],
});

import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  failed: "The action failed",
  dummyReason: "Dummy mode: the data is invented and changes are refused",
  previewTitle: "Preview: nothing was changed",
  previewText: "Dry run shows the result that the change would have.",
  noDifference: "No differences.",
  difference: "Line-by-line difference",
  sameLines: { one: "# line is the same", other: "# lines are the same" },
  close: "Close",
  cancel: "Cancel",
  preview: "Preview",
};

const arabic: Phrases<typeof english> = {
  failed: "تعذّر تنفيذ هذا",
  dummyReason: "وضع العرض: البيانات مختلقة والتغييرات مرفوضة",
  previewTitle: "معاينة: لم يتغيّر شيء",
  previewText: "في التشغيل الجاف تعرض المنصة ما كان سيتركه التغيير.",
  noDifference: "لا اختلاف.",
  difference: "الفرق سطرًا سطرًا",
  sameLines: { one: "سطر واحد كما هو", two: "سطران كما هما", few: "# أسطر كما هي", other: "# سطرًا كما هي" },
  close: "إغلاق",
  cancel: "إلغاء",
  preview: "عاين",
};

export const changesPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };

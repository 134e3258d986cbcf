import { translations } from "../language/translations.ts";

export const changesPhrases = translations({
  failed: ["The action failed", "تعذّر تنفيذ هذا"],
  dummyReason: [
    "Dummy mode: the data is invented and changes are refused",
    "وضع العرض: البيانات مختلقة والتغييرات مرفوضة",
  ],
  previewTitle: ["Preview: nothing was changed", "معاينة: لم يتغيّر شيء"],
  previewText: [
    "Dry run shows the result that the change would have.",
    "في التشغيل الجاف تعرض المنصة ما كان سيتركه التغيير.",
  ],
  noDifference: ["No differences.", "لا اختلاف."],
  difference: ["Line-by-line difference", "الفرق سطرًا سطرًا"],
  sameLines: [
    { one: "# line is the same", other: "# lines are the same" },
    { one: "سطر واحد كما هو", two: "سطران كما هما", few: "# أسطر كما هي", other: "# سطرًا كما هي" },
  ],
  close: ["Close", "إغلاق"],
  cancel: ["Cancel", "إلغاء"],
  preview: ["Preview", "عاين"],
});

import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";

export interface ChangesPhrases {
  failed: string;
  dummyReason: string;
  previewTitle: string;
  previewText: string;
  noDifference: string;
  difference: string;
  sameLines: PluralForms;
  close: string;
  cancel: string;
  preview: string;
}

export const changesPhrases: Translations<ChangesPhrases> = {
  en: {
    failed: "This could not be done",
    dummyReason: "Dummy mode: the data is invented and changes are refused",
    previewTitle: "Preview: nothing was changed",
    previewText: "In dry run the platform shows what the change would have left.",
    noDifference: "Nothing differs.",
    difference: "Difference, line by line",
    sameLines: { one: "# line is the same", other: "# lines are the same" },
    close: "Close",
    cancel: "Cancel",
    preview: "Preview",
  },
  ar: {
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
  },
};

import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  save: "Save",
  speaks: "Language",
  speaksHint: "For the player's screen and this page.",
  name: "Name",
  nameHint: "Up to 32 characters. Useful if you have more than one player.",
  nameEmpty: "Enter a name.",
  nameSaved: "Name saved.",
  screen: "Screen and power",
  brightness: "Brightness",
  autoOff: "Sleep automatically",
  autoOffHint:
    "After this time without use. The player stays awake during playback, during a hifz drill and while this page is open.",
  never: "Never",
  minutes: { one: "After # minute", other: "After # minutes" },
  hours: { one: "After # hour", other: "After # hours" },
};

const arabic: Phrases<typeof english> = {
  save: "حفظ",
  speaks: "اللغة",
  speaksHint: "لغة شاشة المشغّل ولغة هذه الصفحة.",
  name: "الاسم",
  nameHint: "يساعد على التمييز بين مشغّلين. ٣٢ حرفًا على الأكثر.",
  nameEmpty: "أدخل اسمًا.",
  nameSaved: "حُفظ الاسم.",
  screen: "الشاشة والطاقة",
  brightness: "السطوع",
  autoOff: "النوم تلقائيًا",
  autoOffHint: "بعد هذه المدة دون عمل. يبقى مستيقظًا ما دام يشغّل شيئًا، وأثناء تمرين الحفظ، وما دامت هذه الصفحة مفتوحة.",
  never: "أبدًا",
  minutes: {
    one: "بعد دقيقة واحدة",
    two: "بعد دقيقتين",
    few: "بعد # دقائق",
    many: "بعد # دقيقة",
    other: "بعد # دقيقة",
  },
  hours: { one: "بعد ساعة واحدة", two: "بعد ساعتين", few: "بعد # ساعات", many: "بعد # ساعة", other: "بعد # ساعة" },
};

export const languagePhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };

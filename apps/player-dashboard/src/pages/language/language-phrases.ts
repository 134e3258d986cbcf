import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

interface LanguagePhrases {
  save: string;
  speaks: string;
  speaksHint: string;
  name: string;
  nameHint: string;
  nameEmpty: string;
  nameSaved: string;
  screen: string;
  brightness: string;
  autoOff: string;
  autoOffHint: string;
  never: string;
  minutes: PluralForms;
  hours: PluralForms;
}

const english: LanguagePhrases = {
  save: "Save",
  speaks: "Language",
  speaksHint: "Of the player's screen and of this page.",
  name: "Name",
  nameHint: "Helps to tell two players apart. At most 32 characters.",
  nameEmpty: "A player needs a name.",
  nameSaved: "The player has its new name.",
  screen: "Screen and power",
  brightness: "Brightness",
  autoOff: "Goes to sleep by itself",
  autoOffHint:
    "After this long without anything to do. It stays awake while something plays, during a hifz drill, and as long as this page is open.",
  never: "Never",
  minutes: { one: "After # minute", other: "After # minutes" },
  hours: { one: "After # hour", other: "After # hours" },
};

const arabic: LanguagePhrases = {
  save: "حفظ",
  speaks: "اللغة",
  speaksHint: "لغة شاشة المشغّل ولغة هذه الصفحة.",
  name: "الاسم",
  nameHint: "يساعد على التمييز بين مشغّلين. ٣٢ حرفًا على الأكثر.",
  nameEmpty: "لا بد للمشغّل من اسم.",
  nameSaved: "أصبح للمشغّل اسمه الجديد.",
  screen: "الشاشة والطاقة",
  brightness: "السطوع",
  autoOff: "ينام من تلقاء نفسه",
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

export const languagePhrases: Translations<LanguagePhrases> = { en: english, ar: arabic };

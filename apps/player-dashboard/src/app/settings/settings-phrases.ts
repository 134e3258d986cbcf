import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";

export interface SettingsPhrases {
  title: string;
  back: string;
  save: string;
  cancel: string;
  chooseFile: string;

  /** `{version}`. */
  version: string;
  network: string;
  noNetwork: string;
  noNetworkHint: string;
  clock: string;
  sources: Readonly<Record<"none" | "rtc" | "sntp" | "manual", string>>;
  battery: string;
  /** `{percent}`. */
  charging: string;
  onBattery: string;
  lookInto: string;

  sections: string;
  wifi: string;
  sound: string;
  time: string;
  language: string;
  update: string;
  diagnostics: string;
  backup: string;
  install: string;
  reset: string;

  /** `{percent}`: the highest volume. */
  soundLine: string;
  loudest: string;
  /** `{language}` and `{percent}`: how bright. */
  languageLine: string;
  backupLine: string;
  installLine: string;
  resetLine: string;
  diagnosticsLine: string;

  speaks: string;
  speaksHint: string;
  name: string;
  nameHint: string;
  nameEmpty: string;
  nameSaved: string;
  screen: string;
  brightness: string;
  /** `{percent}`. */
  percent: string;
  autoOff: string;
  autoOffHint: string;
  never: string;
  minutes: PluralForms;
  hours: PluralForms;
}

const english: SettingsPhrases = {
  title: "Settings",
  back: "Back to the settings",
  save: "Save",
  cancel: "Cancel",
  chooseFile: "Choose a file",

  version: "Version {version}",
  network: "Network",
  noNetwork: "In no Wi-Fi network",
  noNetworkHint: "Recordings, adhan and schedules work without one; radio needs it.",
  clock: "Clock",
  sources: {
    none: "The player does not know the time",
    rtc: "From its own clock chip",
    sntp: "From a time server, always right",
    manual: "Set by hand",
  },
  battery: "Battery",
  charging: "{percent} %, charging",
  onBattery: "{percent} %",
  lookInto: "Have a look",

  sections: "Change something",
  wifi: "Wi-Fi",
  sound: "Sound and radio",
  time: "Time",
  language: "Language, name and screen",
  update: "Update",
  diagnostics: "Diagnostics",
  backup: "Backup",
  install: "App on this phone",
  reset: "Reset",

  soundLine: "Never louder than {percent} %",
  loudest: "As loud as it can be",
  languageLine: "{language}, brightness {percent} %",
  backupLine: "Keep what you have set in a file, or bring it back",
  installLine: "Put the player on your home screen",
  resetLine: "As if it were new",
  diagnosticsLine: "How it is, and what its screen shows",

  speaks: "Language",
  speaksHint: "Of the player's screen and of this page.",
  name: "Name",
  nameHint: "Helps to tell two players apart. At most 32 characters.",
  nameEmpty: "A player needs a name.",
  nameSaved: "The player has its new name.",
  screen: "Screen and power",
  brightness: "Brightness",
  percent: "{percent} %",
  autoOff: "Goes to sleep by itself",
  autoOffHint:
    "After this long without anything to do. It stays awake while something plays, during a hifz drill, and as long as this page is open.",
  never: "Never",
  minutes: { one: "After # minute", other: "After # minutes" },
  hours: { one: "After # hour", other: "After # hours" },
};

const arabic: SettingsPhrases = {
  title: "الإعدادات",
  back: "العودة إلى الإعدادات",
  save: "حفظ",
  cancel: "إلغاء",
  chooseFile: "اختر ملفًا",

  version: "الإصدار {version}",
  network: "الشبكة",
  noNetwork: "غير متصل بأي شبكة واي فاي",
  noNetworkHint: "التسجيلات والأذان والمواعيد تعمل بدونها، أما الإذاعة فتحتاج إليها.",
  clock: "الساعة",
  sources: {
    none: "المشغّل لا يعرف الوقت",
    rtc: "من شريحة الساعة فيه",
    sntp: "من خادم وقت، فهي مضبوطة دائمًا",
    manual: "ضُبطت يدويًا",
  },
  battery: "البطارية",
  charging: "{percent}٪، تُشحن الآن",
  onBattery: "{percent}٪",
  lookInto: "اطّلع",

  sections: "غيّر شيئًا",
  wifi: "الواي فاي",
  sound: "الصوت والإذاعة",
  time: "الوقت",
  language: "اللغة والاسم والشاشة",
  update: "التحديث",
  diagnostics: "الفحص",
  backup: "النسخة الاحتياطية",
  install: "تطبيق على هذا الهاتف",
  reset: "إعادة الضبط",

  soundLine: "لا يعلو فوق {percent}٪",
  loudest: "بأعلى ما يمكن",
  languageLine: "{language}، السطوع {percent}٪",
  backupLine: "احفظ ما ضبطته في ملف، أو استعده منه",
  installLine: "ضع المشغّل على شاشة هاتفك الرئيسية",
  resetLine: "كأنه جديد",
  diagnosticsLine: "كيف حاله، وماذا تعرض شاشته",

  speaks: "اللغة",
  speaksHint: "لغة شاشة المشغّل ولغة هذه الصفحة.",
  name: "الاسم",
  nameHint: "يساعد على التمييز بين مشغّلين. ٣٢ حرفًا على الأكثر.",
  nameEmpty: "لا بد للمشغّل من اسم.",
  nameSaved: "أصبح للمشغّل اسمه الجديد.",
  screen: "الشاشة والطاقة",
  brightness: "السطوع",
  percent: "{percent}٪",
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

export const settingsPhrases: Translations<SettingsPhrases> = { en: english, ar: arabic };

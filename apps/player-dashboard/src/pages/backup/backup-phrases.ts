import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

export interface BackupPhrases {
  title: string;
  keep: string;
  keepHint: string;
  download: string;
  /** `{name}` and `{date}`: of a file. */
  fileName: string;
  downloaded: string;

  bringBack: string;
  bringBackHint: string;
  file: string;
  fileHint: string;
  unreadable: string;
  foreign: string;
  large: string;

  inIt: string;
  settings: string;
  /** `{name}`: the device's in the backup. */
  settingsOf: string;
  prayer: string;
  favorites: PluralForms;
  stations: PluralForms;
  cards: PluralForms;
  schedules: PluralForms;
  noFavorites: string;
  noStations: string;
  noCards: string;
  noSchedules: string;
  restore: string;
  ask: string;
  askHint: string;
  restoreNow: string;
  restored: string;
  parts: Readonly<Record<"settings" | "favorites" | "stations" | "cards" | "schedules" | "prayer", string>>;
}

const english: BackupPhrases = {
  title: "Backup",
  keep: "Keep it in a file",
  keepHint:
    "Settings, favorites, stations, cards, schedules and the prayer settings. Recordings, the Wi-Fi password and the token are not in it.",
  download: "Download the backup",
  fileName: "{name} backup {date}.json",
  downloaded: "The backup is in your downloads.",

  bringBack: "Bring it back",
  bringBackHint: "From a file that was made here, on this player or on another one.",
  file: "Backup file",
  fileHint: "You see what is in it before anything changes.",
  unreadable: "This file cannot be read. Choose one that was made by “Download the backup”.",
  foreign: "This is no backup of a player.",
  large: "This file is too large for a backup.",

  inIt: "What is in it",
  settings: "The settings",
  settingsOf: "The settings of “\u2068{name}\u2069”",
  prayer: "Place, prayer times and adhan",
  favorites: { one: "# favorite", other: "# favorites" },
  stations: { one: "# station", other: "# stations" },
  cards: { one: "# card", other: "# cards" },
  schedules: { one: "# schedule", other: "# schedules" },
  noFavorites: "No favorites",
  noStations: "No stations",
  noCards: "No cards",
  noSchedules: "No schedules",
  restore: "Bring this back",
  ask: "Replace what the player has?",
  askHint:
    "What the player has in these parts now is replaced and cannot be brought back, unless you have a backup of it.",
  restoreNow: "Replace",
  restored: "It is all back:",
  parts: {
    settings: "settings",
    favorites: "favorites",
    stations: "stations",
    cards: "cards",
    schedules: "schedules",
    prayer: "prayer settings",
  },
};

const arabic: BackupPhrases = {
  title: "النسخة الاحتياطية",
  keep: "احفظها في ملف",
  keepHint:
    "الإعدادات والمفضلة والإذاعات والبطاقات والمواعيد وإعدادات الصلاة. وليس فيها التسجيلات ولا كلمة مرور الواي فاي ولا الرمز.",
  download: "نزّل النسخة الاحتياطية",
  fileName: "{name} backup {date}.json",
  downloaded: "النسخة الاحتياطية في ملفاتك المنزّلة.",

  bringBack: "استعدها",
  bringBackHint: "من ملف صُنع هنا، على هذا المشغّل أو على غيره.",
  file: "ملف النسخة الاحتياطية",
  fileHint: "ترى ما فيه قبل أن يتغيّر شيء.",
  unreadable: "لا يمكن قراءة هذا الملف. اختر ملفًا صنعه زر «نزّل النسخة الاحتياطية».",
  foreign: "ليس هذا نسخة احتياطية لمشغّل.",
  large: "هذا الملف أكبر من أن يكون نسخة احتياطية.",

  inIt: "ما فيه",
  settings: "الإعدادات",
  settingsOf: "إعدادات «\u2068{name}\u2069»",
  prayer: "المكان وأوقات الصلاة والأذان",
  favorites: { one: "مفضلة واحدة", two: "مفضلتان", few: "# مفضلات", many: "# مفضلة", other: "# مفضلة" },
  stations: { one: "إذاعة واحدة", two: "إذاعتان", few: "# إذاعات", many: "# إذاعة", other: "# إذاعة" },
  cards: { one: "بطاقة واحدة", two: "بطاقتان", few: "# بطاقات", many: "# بطاقة", other: "# بطاقة" },
  schedules: { one: "موعد واحد", two: "موعدان", few: "# مواعيد", many: "# موعدًا", other: "# موعد" },
  noFavorites: "لا مفضلات",
  noStations: "لا إذاعات",
  noCards: "لا بطاقات",
  noSchedules: "لا مواعيد",
  restore: "استعد هذا",
  ask: "هل تستبدل ما في المشغّل؟",
  askHint: "يُستبدل ما في المشغّل الآن من هذه الأجزاء، ولا يمكن استعادته إلا إن كانت عندك نسخة احتياطية منه.",
  restoreNow: "استبدل",
  restored: "عاد كل شيء:",
  parts: {
    settings: "الإعدادات",
    favorites: "المفضلة",
    stations: "الإذاعات",
    cards: "البطاقات",
    schedules: "المواعيد",
    prayer: "إعدادات الصلاة",
  },
};

export const backupPhrases: Translations<BackupPhrases> = { en: english, ar: arabic };

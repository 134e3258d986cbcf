import type { Phrases, Translations } from "../../app/language/translations.ts";

const english = {
  title: "Backup",
  keep: "Save a backup",
  keepHint:
    "Contains settings, favorites, stations, cards, schedules and prayer settings. Does not contain recordings, the Wi-Fi password or the token.",
  download: "Download backup",
  /** `{name}` and `{date}`: of a file. */
  fileName: "{name} backup {date}.json",
  downloaded: "Backup saved to your downloads.",

  bringBack: "Restore",
  bringBackHint: "From a backup of this player or another one.",
  file: "Backup file",
  fileHint: "You see its contents before anything changes.",
  unreadable: "This file cannot be read. Choose a file from “Download backup”.",
  foreign: "This file is not a player backup.",
  large: "This file is too large for a backup.",

  inIt: "Contents",
  settings: "Settings",
  /** `{name}`: the device's in the backup. */
  settingsOf: "Settings of “\u2068{name}\u2069”",
  prayer: "Location, prayer times and adhan",
  favorites: { one: "# favorite", other: "# favorites" },
  stations: { one: "# station", other: "# stations" },
  cards: { one: "# card", other: "# cards" },
  schedules: { one: "# schedule", other: "# schedules" },
  noFavorites: "No favorites",
  noStations: "No stations",
  noCards: "No cards",
  noSchedules: "No schedules",
  restore: "Restore this backup",
  ask: "Replace the current data?",
  askHint: "The player's current data in these parts is replaced. You can only get it back from another backup.",
  restoreNow: "Replace",
  restored: "Restored:",
  parts: {
    settings: "settings",
    favorites: "favorites",
    stations: "stations",
    cards: "cards",
    schedules: "schedules",
    prayer: "prayer settings",
  },
};

export type BackupPhrases = Phrases<typeof english>;

const arabic: BackupPhrases = {
  title: "النسخة الاحتياطية",
  keep: "إنشاء نسخة احتياطية",
  keepHint:
    "الإعدادات والمفضلة والإذاعات والبطاقات والمواعيد وإعدادات الصلاة. وليس فيها التسجيلات ولا كلمة مرور الواي فاي ولا الرمز.",
  download: "نزّل النسخة الاحتياطية",
  fileName: "{name} backup {date}.json",
  downloaded: "النسخة الاحتياطية في ملفاتك المنزّلة.",

  bringBack: "الاستعادة",
  bringBackHint: "من ملف صُنع هنا، على هذا المشغّل أو على غيره.",
  file: "ملف النسخة الاحتياطية",
  fileHint: "ترى ما فيه قبل أن يتغيّر شيء.",
  unreadable: "لا يمكن قراءة هذا الملف. اختر ملفًا صنعه زر «نزّل النسخة الاحتياطية».",
  foreign: "ليس هذا نسخة احتياطية لمشغّل.",
  large: "هذا الملف أكبر من أن يكون نسخة احتياطية.",

  inIt: "المحتويات",
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
  restore: "استعد هذه النسخة",
  ask: "هل تريد استبدال البيانات الحالية؟",
  askHint: "يُستبدل ما في المشغّل الآن من هذه الأجزاء، ولا يمكن استعادته إلا إن كانت عندك نسخة احتياطية منه.",
  restoreNow: "استبدل",
  restored: "تمت استعادة:",
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

import type { Translations } from "../language/translations.ts";

interface SettingsPhrases {
  back: string;
  cancel: string;
  chooseFile: string;
  sources: Readonly<Record<"none" | "rtc" | "sntp" | "manual", string>>;
  wifi: string;
  sound: string;
  time: string;
  language: string;
  update: string;
  diagnostics: string;
  backup: string;
  monitoring: string;
  install: string;
  reset: string;
  /** `{percent}`. */
  percent: string;
}

const english: SettingsPhrases = {
  back: "Back to settings",
  cancel: "Cancel",
  chooseFile: "Choose a file",
  sources: {
    none: "The clock is not set",
    rtc: "Set by the clock chip",
    sntp: "Set from the internet",
    manual: "Set by hand",
  },
  wifi: "Wi-Fi",
  sound: "Sound and radio",
  time: "Time",
  language: "Language, name and screen",
  update: "Update",
  diagnostics: "Diagnostics",
  backup: "Backup",
  monitoring: "Security monitoring",
  install: "App on this device",
  reset: "Reset",
  percent: "{percent} %",
};

const arabic: SettingsPhrases = {
  back: "العودة إلى الإعدادات",
  cancel: "إلغاء",
  chooseFile: "اختر ملفًا",
  sources: {
    none: "الساعة غير مضبوطة",
    rtc: "تضبطها شريحة الساعة",
    sntp: "تُضبط من الإنترنت",
    manual: "ضُبطت يدويًا",
  },
  wifi: "الواي فاي",
  sound: "الصوت والإذاعة",
  time: "الوقت",
  language: "اللغة والاسم والشاشة",
  update: "التحديث",
  diagnostics: "الفحص",
  backup: "النسخة الاحتياطية",
  monitoring: "المراقبة الأمنية",
  install: "تطبيق على هذا الجهاز",
  reset: "إعادة الضبط",
  percent: "{percent}٪",
};

export const settingsPhrases: Translations<SettingsPhrases> = { en: english, ar: arabic };

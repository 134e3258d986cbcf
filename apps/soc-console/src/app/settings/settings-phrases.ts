import type { Translations } from "../language/translations.ts";

interface SettingsPhrases {
  settings: string;
  tabs: {
    me: string;
    users: string;
    roles: string;
    keys: string;
    sites: string;
    sources: string;
    "dead-letters": string;
    channels: string;
    runtime: string;
    system: string;
  };
}

const english: SettingsPhrases = {
  settings: "Settings",
  tabs: {
    me: "Me",
    users: "Users",
    roles: "Roles",
    keys: "API keys",
    sites: "Sites",
    sources: "Sources",
    "dead-letters": "Dead letters",
    channels: "Channels",
    runtime: "Runtime",
    system: "System",
  },
};

const arabic: SettingsPhrases = {
  settings: "الإعدادات",
  tabs: {
    me: "أنا",
    users: "المستخدمون",
    roles: "الأدوار",
    keys: "مفاتيح API",
    sites: "المواقع",
    sources: "المصادر",
    "dead-letters": "الرسائل الميتة",
    channels: "القنوات",
    runtime: "وضع التشغيل",
    system: "النظام",
  },
};

export const settingsPhrases: Translations<SettingsPhrases> = { en: english, ar: arabic };
export type SettingsTab = keyof SettingsPhrases["tabs"];

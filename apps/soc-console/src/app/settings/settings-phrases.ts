import type { Phrases, Translations } from "../language/translations.ts";

const english = {
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

const arabic: Phrases<typeof english> = {
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

export const settingsPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
export type SettingsTab = keyof Phrases<typeof english>["tabs"];

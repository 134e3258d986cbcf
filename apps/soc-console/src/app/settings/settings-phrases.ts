import { translations } from "../language/translations.ts";

export const settingsPhrases = translations({
  settings: ["Settings", "الإعدادات"],
  tabs: {
    me: ["Me", "أنا"],
    users: ["Users", "المستخدمون"],
    roles: ["Roles", "الأدوار"],
    keys: ["API keys", "مفاتيح API"],
    sites: ["Sites", "المواقع"],
    sources: ["Sources", "المصادر"],
    "dead-letters": ["Dead letters", "الرسائل الميتة"],
    channels: ["Channels", "القنوات"],
    runtime: ["Runtime", "وضع التشغيل"],
    system: ["System", "النظام"],
  },
});
export type SettingsTab = keyof (typeof settingsPhrases)["en"]["tabs"];

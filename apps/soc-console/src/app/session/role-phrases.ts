import type { Translations } from "../language/translations.ts";
import type { Me } from "./session.ts";

export type Role = Me["role"];

interface RoleWords {
  name: string;
  /** What the role is for. */
  meaning: string;
}

/** Display names of the roles. The names in the API stay as they are. */
export const rolePhrases: Translations<Readonly<Record<Role, RoleWords>>> = {
  en: {
    admin: { name: "Administrator", meaning: "Everything, with users, API keys and sites." },
    manager: {
      name: "Manager",
      meaning: "Leads the shift: decides approvals, manages playbooks, agents and channels.",
    },
    tier3: { name: "Tier 3", meaning: "Senior analyst: writes detections, contains, runs playbooks." },
    tier2: { name: "Tier 2", meaning: "Analyst: investigates, searches, starts playbooks." },
    tier1: { name: "Tier 1", meaning: "Takes alerts, opens and works on cases." },
    detection: { name: "Detection", meaning: "Writes rules and indicators; changes no alert and no case." },
    responder: { name: "Responder", meaning: "Contains and restores endpoints and devices." },
    auditor: { name: "Auditor", meaning: "Reads everything, with the audit log; changes nothing." },
    agent: { name: "Agent", meaning: "For programs that report and ship logs, not for people." },
  },
  ar: {
    admin: { name: "مدير النظام", meaning: "كل شيء، ومعه المستخدمون ومفاتيح API والمواقع." },
    manager: {
      name: "مدير المناوبة",
      meaning: "يقود المناوبة: يقرر الموافقات ويدير أدلة الاستجابة والوكلاء والقنوات.",
    },
    tier3: { name: "المستوى 3", meaning: "محلل أول: يكتب قواعد الكشف ويحتوي ويشغّل أدلة الاستجابة." },
    tier2: { name: "المستوى 2", meaning: "محلل: يحقق ويبحث ويبدأ أدلة الاستجابة." },
    tier1: { name: "المستوى 1", meaning: "يستلم التنبيهات ويفتح القضايا ويعمل عليها." },
    detection: { name: "الكشف", meaning: "يكتب القواعد والمؤشرات، ولا يغيّر تنبيهًا ولا قضية." },
    responder: { name: "المستجيب", meaning: "يحتوي الأطراف والأجهزة ويعيدها." },
    auditor: { name: "المدقق", meaning: "يقرأ كل شيء ومعه سجل التدقيق، ولا يغيّر شيئًا." },
    agent: { name: "وكيل", meaning: "للبرامج التي تبلّغ وترسل السجلات، لا للأشخاص." },
  },
};

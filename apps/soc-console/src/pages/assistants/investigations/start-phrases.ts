import type { Translations } from "../../../app/language/translations.ts";

interface StartPhrases {
  group: string;
  start: string;
  previewStart: string;
  what: string;
  kinds: { alert: string; question: string };
  hint: string;
  close: string;
  cancel: string;
  searchAlerts: string;
  chooseAlert: string;
  noAlerts: string;
  question: string;
  questionHint: string;
  host: string;
  user: string;
  hasDevices: string;
  refused: string;
}

const english: StartPhrases = {
  group: "Investigations",
  start: "Investigate",
  previewStart: "Preview an investigation",
  what: "What is investigated",
  kinds: { alert: "An alert", question: "A question" },
  hint: "Agents read logs, alerts, cases and indicators with your permissions. What they recommend waits for a person.",
  close: "Close",
  cancel: "Cancel",
  searchAlerts: "Find the alert",
  chooseAlert: "The alert to investigate",
  noAlerts: "No alert has these words. Change them, or investigate a question instead.",
  question: "What should the agents find out?",
  questionHint: "Describe what was seen. A host or a user lets them read the logs around it.",
  host: "Host",
  user: "User",
  hasDevices: "Devices of physical processes may be concerned",
  refused: "The investigation did not start",
};

const arabic: StartPhrases = {
  group: "التحقيقات",
  start: "حقّق",
  previewStart: "معاينة تحقيق",
  what: "موضوع التحقيق",
  kinds: { alert: "تنبيه", question: "سؤال" },
  hint: "يقرأ الوكلاء السجلات والتنبيهات والقضايا والمؤشرات بصلاحياتك. وما يوصون به ينتظر إنسانًا.",
  close: "إغلاق",
  cancel: "إلغاء",
  searchAlerts: "ابحث عن التنبيه",
  chooseAlert: "التنبيه المراد التحقيق فيه",
  noAlerts: "لا تنبيه فيه هذه الكلمات. غيّرها، أو حقّق في سؤال.",
  question: "ماذا على الوكلاء أن يكتشفوا؟",
  questionHint: "صف ما شوهد. الجهاز أو المستخدم يتيح لهم قراءة السجلات حوله.",
  host: "الجهاز",
  user: "المستخدم",
  hasDevices: "قد تكون أجهزة عمليات فيزيائية معنية",
  refused: "لم يبدأ التحقيق",
};

export const startPhrases: Translations<StartPhrases> = { en: english, ar: arabic };

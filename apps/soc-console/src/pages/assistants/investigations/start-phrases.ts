import type { Phrases, Translations } from "../../../app/language/translations.ts";

const english = {
  group: "Investigations",
  start: "Investigate",
  previewStart: "Preview an investigation",
  what: "Subject",
  kinds: { alert: "An alert", question: "A question" },
  hint: "Agents read logs, alerts, cases and indicators with your permissions. Their recommendations wait for your decision.",
  close: "Close",
  cancel: "Cancel",
  searchAlerts: "Find the alert",
  chooseAlert: "The alert to investigate",
  noAlerts: "No alert matches. Change the search, or investigate a question instead.",
  question: "What should the agents find out?",
  questionHint: "Describe the observation. With a host or a user, they can read the related logs.",
  host: "Host",
  user: "User",
  hasDevices: "Cyber-physical devices may be affected",
  refused: "The investigation did not start",
};

const arabic: Phrases<typeof english> = {
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

export const startPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };

import { translations } from "../../../app/language/translations.ts";

export const startPhrases = translations({
  group: ["Investigations", "التحقيقات"],
  start: ["Investigate", "حقّق"],
  previewStart: ["Preview an investigation", "معاينة تحقيق"],
  what: ["Subject", "موضوع التحقيق"],
  kinds: {
    alert: ["An alert", "تنبيه"],
    question: ["A question", "سؤال"],
  },
  hint: [
    "Agents read logs, alerts, cases and indicators with your permissions. Their recommendations wait for your decision.",
    "يقرأ الوكلاء السجلات والتنبيهات والقضايا والمؤشرات بصلاحياتك. وما يوصون به ينتظر إنسانًا.",
  ],
  cancel: ["Cancel", "إلغاء"],
  searchAlerts: ["Find the alert", "ابحث عن التنبيه"],
  chooseAlert: ["The alert to investigate", "التنبيه المراد التحقيق فيه"],
  noAlerts: [
    "No alert matches. Change the search, or investigate a question instead.",
    "لا تنبيه فيه هذه الكلمات. غيّرها، أو حقّق في سؤال.",
  ],
  question: ["What should the agents find out?", "ماذا على الوكلاء أن يكتشفوا؟"],
  questionHint: [
    "Describe the observation. With a host or a user, they can read the related logs.",
    "صف ما شوهد. الجهاز أو المستخدم يتيح لهم قراءة السجلات حوله.",
  ],
  host: ["Host", "الجهاز"],
  user: ["User", "المستخدم"],
  hasDevices: ["Cyber-physical devices may be affected", "قد تكون أجهزة عمليات فيزيائية معنية"],
  refused: ["The investigation did not start", "لم يبدأ التحقيق"],
});

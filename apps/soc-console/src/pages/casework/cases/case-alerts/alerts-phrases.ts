import { translations } from "../../../../app/language/translations.ts";

export const caseAlertsPhrases = translations({
  alerts: ["Alerts of the case", "تنبيهات القضية"],
  lastSeen: ["Last seen", "آخر ظهور"],
  title: ["Title", "العنوان"],
  host: ["Host", "المضيف"],
  status: ["Status", "الحالة"],
  statuses: {
    new: ["new", "جديد"],
    triaged: ["triaged", "مفروز"],
    investigating: ["investigating", "قيد التحقيق"],
    resolved: ["resolved", "محلول"],
    closed: ["closed", "مغلق"],
    false_positive: ["false positive", "إنذار كاذب"],
  },
  link: ["Link alerts", "اربط تنبيهات"],
  linkPreview: ["Preview linking", "عاين الربط"],
  unlink: ["Unlink", "افصل"],
  unlinkPreview: ["Preview unlinking", "عاين الفصل"],
  linkTitle: ["Link alerts to the case", "اربط تنبيهات بالقضية"],
  linkText: ["An alert that is in another case moves here.", "ينتقل إلى هنا التنبيه الموجود في قضية أخرى."],
  search: ["Search alerts", "ابحث في التنبيهات"],
  withCase: ["Include alerts already in a case", "والتنبيهات الموجودة في قضايا"],
  linkCount: [
    { one: "Link # alert", other: "Link # alerts" },
    { one: "اربط تنبيهًا واحدًا", two: "اربط تنبيهين", few: "اربط # تنبيهات", other: "اربط # تنبيهًا" },
  ],
  linked: ["{linked} linked, {moved} of them from other cases", "رُبط {linked}، منها {moved} من قضايا أخرى"],
  unlinked: [
    { one: "# alert unlinked", other: "# alerts unlinked" },
    { one: "فُصل تنبيه واحد", two: "فُصل تنبيهان", few: "فُصلت # تنبيهات", other: "فُصل # تنبيهًا" },
  ],
  empty: ["No alerts in this case", "لا تنبيهات في هذه القضية"],
  emptyText: ["Link the alerts that belong to it.", "اربط التنبيهات التي تخصها."],
  noneFound: ["No alert matches", "لا تنبيه يطابق"],
  select: ["Select", "حدّد"],
  open: ["Open the alert", "افتح التنبيه"],
});

export type CaseAlertsPhrases = (typeof caseAlertsPhrases)["en"];

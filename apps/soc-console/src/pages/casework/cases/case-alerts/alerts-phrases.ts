import type { Phrases, Translations } from "../../../../app/language/translations.ts";

const english = {
  alerts: "Alerts of the case",
  lastSeen: "Last seen",
  title: "Title",
  host: "Host",
  status: "Status",
  statuses: {
    new: "new",
    triaged: "triaged",
    investigating: "investigating",
    resolved: "resolved",
    closed: "closed",
    false_positive: "false positive",
  },
  link: "Link alerts",
  linkPreview: "Preview linking",
  unlink: "Unlink",
  unlinkPreview: "Preview unlinking",
  linkTitle: "Link alerts to the case",
  linkText: "An alert that is in another case moves here.",
  search: "Search alerts",
  withCase: "Include alerts already in a case",
  linkCount: { one: "Link # alert", other: "Link # alerts" },
  linked: "{linked} linked, {moved} of them from other cases",
  unlinked: { one: "# alert unlinked", other: "# alerts unlinked" },
  empty: "No alerts in this case",
  emptyText: "Link the alerts that belong to it.",
  noneFound: "No alert matches",
  select: "Select",
  open: "Open the alert",
};

export type CaseAlertsPhrases = Phrases<typeof english>;

const arabic: CaseAlertsPhrases = {
  alerts: "تنبيهات القضية",
  lastSeen: "آخر ظهور",
  title: "العنوان",
  host: "المضيف",
  status: "الحالة",
  statuses: {
    new: "جديد",
    triaged: "مفروز",
    investigating: "قيد التحقيق",
    resolved: "محلول",
    closed: "مغلق",
    false_positive: "إنذار كاذب",
  },
  link: "اربط تنبيهات",
  linkPreview: "عاين الربط",
  unlink: "افصل",
  unlinkPreview: "عاين الفصل",
  linkTitle: "اربط تنبيهات بالقضية",
  linkText: "ينتقل إلى هنا التنبيه الموجود في قضية أخرى.",
  search: "ابحث في التنبيهات",
  withCase: "والتنبيهات الموجودة في قضايا",
  linkCount: { one: "اربط تنبيهًا واحدًا", two: "اربط تنبيهين", few: "اربط # تنبيهات", other: "اربط # تنبيهًا" },
  linked: "رُبط {linked}، منها {moved} من قضايا أخرى",
  unlinked: { one: "فُصل تنبيه واحد", two: "فُصل تنبيهان", few: "فُصلت # تنبيهات", other: "فُصل # تنبيهًا" },
  empty: "لا تنبيهات في هذه القضية",
  emptyText: "اربط التنبيهات التي تخصها.",
  noneFound: "لا تنبيه يطابق",
  select: "حدّد",
  open: "افتح التنبيه",
};

export const caseAlertsPhrases: Translations<CaseAlertsPhrases> = { en: english, ar: arabic };

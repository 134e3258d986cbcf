import type { PluralForms } from "../../../../app/language/numbers.ts";
import type { Translations } from "../../../../app/language/translations.ts";
import type { CaseAlert } from "../cases-client.ts";

export interface CaseAlertsPhrases {
  alerts: string;
  lastSeen: string;
  title: string;
  host: string;
  status: string;
  statuses: Record<CaseAlert["status"], string>;
  link: string;
  linkPreview: string;
  unlink: string;
  unlinkPreview: string;
  linkTitle: string;
  linkText: string;
  search: string;
  withCase: string;
  linkCount: PluralForms;
  linked: string;
  unlinked: PluralForms;
  empty: string;
  emptyText: string;
  noneFound: string;
  select: string;
  open: string;
}

export const caseAlertsPhrases: Translations<CaseAlertsPhrases> = {
  en: {
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
    withCase: "Also alerts that are in a case",
    linkCount: { one: "Link # alert", other: "Link # alerts" },
    linked: "{linked} linked, {moved} of them from other cases",
    unlinked: { one: "# alert unlinked", other: "# alerts unlinked" },
    empty: "No alerts in this case",
    emptyText: "Link the alerts that belong to it.",
    noneFound: "No alert matches",
    select: "Select",
    open: "Open the alert",
  },
  ar: {
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
  },
};

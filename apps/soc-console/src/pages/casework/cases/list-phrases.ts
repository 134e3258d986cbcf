import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { CaseSort } from "./cases-filter.ts";

export interface ListPhrases {
  list: string;
  board: string;
  views: string;
  search: string;
  anyStatus: string;
  openOnly: string;
  anySeverity: string;
  anyone: string;
  mine: string;
  anySla: string;
  tag: string;
  updated: string;
  sorts: Record<CaseSort, string>;
  newCase: string;
  merge: string;
  mergeTitle: string;
  mergeText: string;
  mergeInto: string;
  merged: string;
  noCases: string;
  noCasesText: string;
  news: PluralForms;
  select: string;
  move: string;
  up: string;
  extend: string;
  open: string;
  peek: string;
  leave: string;
  sort: string;
  showNews: string;
  filter: string;
  switchView: string;
  next: string;
  previous: string;
  column: string;
  columnBefore: string;
  title: string;
  severity: string;
  description: string;
  template: string;
  noTemplate: string;
  site: string;
  noSite: string;
  create: string;
  previewCreate: string;
  created: string;
  moved: string;
  cards: PluralForms;
  more: string;
}

export const listPhrases: Translations<ListPhrases> = {
  en: {
    list: "List",
    board: "Board",
    views: "How the cases are shown",
    search: "Search in titles and descriptions",
    anyStatus: "Any status",
    openOnly: "Not done",
    anySeverity: "Any severity",
    anyone: "Anyone",
    mine: "Mine",
    anySla: "Any SLA",
    tag: "Tag",
    updated: "Changed",
    sorts: { "-updated_at": "Last changed", "-created_at": "Newest", "-severity": "Most severe" },
    newCase: "New case",
    merge: "Merge",
    mergeTitle: "Merge cases",
    mergeText:
      "Alerts, observables, evidence, comments and tasks move into one case. The others are closed. This cannot be undone.",
    mergeInto: "Keep this case",
    merged: "Merged: {alerts} alerts, {evidence} pieces of evidence, {observables} observables moved",
    noCases: "No cases yet",
    noCasesText: "Promote an alert, or open a case by hand.",
    news: { one: "# changed · press . to show", other: "# changed · press . to show" },
    select: "select",
    move: "move",
    up: "move up",
    extend: "extend the selection",
    open: "open",
    peek: "peek",
    leave: "close the pane",
    sort: "sort",
    showNews: "show what changed",
    filter: "filter",
    switchView: "list or board",
    next: "Move to the next status",
    previous: "Move to the previous status",
    column: "next column",
    columnBefore: "column before",
    title: "Title",
    severity: "Severity",
    description: "Description",
    template: "Template",
    noTemplate: "No template",
    site: "Site",
    noSite: "No site",
    create: "Open the case",
    previewCreate: "Preview the case",
    created: "Case opened",
    moved: "Now {status}",
    cards: { one: "# case", other: "# cases" },
    more: "{count} more in the list",
  },
  ar: {
    list: "قائمة",
    board: "لوحة",
    views: "طريقة عرض القضايا",
    search: "ابحث في العناوين والأوصاف",
    anyStatus: "أي حالة",
    openOnly: "غير المنجزة",
    anySeverity: "أي خطورة",
    anyone: "أي شخص",
    mine: "قضاياي",
    anySla: "أي مهلة",
    tag: "وسم",
    updated: "تغيّرت",
    sorts: { "-updated_at": "آخر تغيير", "-created_at": "الأحدث", "-severity": "الأخطر" },
    newCase: "قضية جديدة",
    merge: "دمج",
    mergeTitle: "دمج القضايا",
    mergeText:
      "تنتقل التنبيهات والمؤشرات والأدلة والتعليقات والمهام إلى قضية واحدة، وتُغلق الأخرى. لا يمكن التراجع عن هذا.",
    mergeInto: "أبقِ هذه القضية",
    merged: "دُمجت: نُقل {alerts} من التنبيهات و{evidence} من الأدلة و{observables} من المؤشرات",
    noCases: "لا قضايا بعد",
    noCasesText: "رقِّ تنبيهًا، أو افتح قضية يدويًا.",
    news: { one: "تغيّرت # · اضغط . للعرض", other: "تغيّرت # · اضغط . للعرض" },
    select: "تحديد",
    move: "تنقّل",
    up: "إلى الأعلى",
    extend: "توسيع التحديد",
    open: "فتح",
    peek: "نظرة",
    leave: "أغلق اللوح",
    sort: "ترتيب",
    showNews: "اعرض ما تغيّر",
    filter: "ترشيح",
    switchView: "قائمة أو لوحة",
    next: "انقل إلى الحالة التالية",
    previous: "انقل إلى الحالة السابقة",
    column: "العمود التالي",
    columnBefore: "العمود السابق",
    title: "العنوان",
    severity: "الخطورة",
    description: "الوصف",
    template: "القالب",
    noTemplate: "بلا قالب",
    site: "الموقع",
    noSite: "بلا موقع",
    create: "افتح القضية",
    previewCreate: "عاين القضية",
    created: "فُتحت القضية",
    moved: "الحالة الآن: {status}",
    cards: { one: "قضية واحدة", two: "قضيتان", few: "# قضايا", other: "# قضية" },
    more: "{count} أخرى في القائمة",
  },
};

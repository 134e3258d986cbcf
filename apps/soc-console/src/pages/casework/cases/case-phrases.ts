import type { Translations } from "../../../app/language/translations.ts";

export const CASE_TABS = ["timeline", "alerts", "evidence", "observables", "tasks", "graph", "runs", "report"] as const;
export type CaseTab = (typeof CASE_TABS)[number];

/** Words of the page of one case, around its tabs. */
export interface CasePhrases {
  tabs: Record<CaseTab, string>;
  tabsLabel: string;
  caseGroup: string;
  facts: string;
  back: string;
  take: string;
  takePreview: string;
  closeCase: string;
  closeTitle: string;
  closeAnyway: string;
  noEnds: string;
  endsInForce: string;
  endsApprovals: string;
  endsRuns: string;
  endsTasks: string;
  endsUnread: string;
  due: string;
  noDue: string;
  template: string;
  opened: string;
  changed: string;
  related: string;
  entities: string;
  hosts: string;
  users: string;
  mergedInto: string;
  mergedFrom: string;
  partial: string;
  asOf: string;
  editTitle: string;
  addTag: string;
  needsApproval: string;
  moreActions: string;
  description: string;
}

export const casePhrases: Translations<CasePhrases> = {
  en: {
    tabs: {
      timeline: "Timeline",
      alerts: "Alerts",
      evidence: "Evidence",
      observables: "Observables",
      tasks: "Tasks",
      graph: "Graph",
      runs: "Runs",
      report: "Report",
    },
    tabsLabel: "Parts of the case",
    caseGroup: "Case",
    facts: "Facts of the case",
    back: "All cases",
    take: "Take",
    takePreview: "Preview taking it",
    closeCase: "Close the case",
    closeTitle: "Close the case?",
    closeAnyway: "Close anyway",
    noEnds: "Nothing is open: no host in isolation, no approval, no run, no task.",
    endsInForce: "Hosts still isolated",
    endsApprovals: "Approvals that wait for a decision",
    endsRuns: "Playbooks still running",
    endsTasks: "Tasks not done",
    endsUnread: "A part could not be read in time: more may be open.",
    due: "Due",
    noDue: "no date",
    template: "Template",
    opened: "Opened",
    changed: "Changed",
    related: "Related cases",
    entities: "Entities",
    hosts: "Hosts",
    users: "Users",
    mergedInto: "This case was merged into another one and takes no changes.",
    mergedFrom: "Merged from",
    partial: "Some parts could not be read in time.",
    asOf: "As of {time}",
    editTitle: "Edit title and description",
    addTag: "Tags, with commas",
    needsApproval: "Actions need an approval by a person",
    moreActions: "More",
    description: "Description",
  },
  ar: {
    tabs: {
      timeline: "السجل الزمني",
      alerts: "التنبيهات",
      evidence: "الأدلة",
      observables: "المؤشرات",
      tasks: "المهام",
      graph: "المخطط",
      runs: "التشغيلات",
      report: "التقرير",
    },
    tabsLabel: "أجزاء القضية",
    caseGroup: "القضية",
    facts: "حقائق القضية",
    back: "كل القضايا",
    take: "تولَّ",
    takePreview: "عاين التولّي",
    closeCase: "أغلق القضية",
    closeTitle: "أتغلق القضية؟",
    closeAnyway: "أغلقها رغم ذلك",
    noEnds: "لا شيء مفتوح: لا مضيف معزول ولا موافقة ولا تشغيل ولا مهمة.",
    endsInForce: "مضيفون ما زالوا معزولين",
    endsApprovals: "موافقات تنتظر قرارًا",
    endsRuns: "كتيّبات ما زالت تعمل",
    endsTasks: "مهام لم تُنجز",
    endsUnread: "تعذّرت قراءة جزء في الوقت المحدد: قد يكون هناك المزيد.",
    due: "الموعد",
    noDue: "بلا موعد",
    template: "القالب",
    opened: "فُتحت",
    changed: "تغيّرت",
    related: "قضايا ذات صلة",
    entities: "الكيانات",
    hosts: "المضيفون",
    users: "المستخدمون",
    mergedInto: "دُمجت هذه القضية في أخرى ولا تقبل تغييرات.",
    mergedFrom: "دُمجت منها",
    partial: "تعذّرت قراءة بعض الأجزاء في الوقت المحدد.",
    asOf: "حتى {time}",
    editTitle: "عدّل العنوان والوصف",
    addTag: "وسوم تفصلها فواصل",
    needsApproval: "تحتاج الإجراءات موافقة شخص",
    moreActions: "المزيد",
    description: "الوصف",
  },
};

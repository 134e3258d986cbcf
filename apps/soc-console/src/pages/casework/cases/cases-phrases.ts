import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { Case, CaseStatus } from "./cases-client.ts";
import type { EditedField } from "./conflict.ts";

type SlaState = "ok" | "near" | "breached" | "met";

/** Words that every part of the pages of cases uses. */
export interface CasesPhrases {
  cases: string;
  statuses: Record<CaseStatus, string>;
  severities: Record<Case["severity"], string>;
  sla: Record<SlaState, string>;
  fields: Record<EditedField, string>;
  sla_label: string;
  respondBy: string;
  resolveBy: string;
  unassigned: string;
  yes: string;
  no: string;
  none: string;
  cancel: string;
  close: string;
  save: string;
  add: string;
  remove: string;
  edit: string;
  retry: string;
  failed: string;
  done: string;
  dummyReason: string;
  mayNot: string;
  conflictTitle: string;
  conflictText: string;
  conflictBy: string;
  conflictUnknown: string;
  was: string;
  isNow: string;
  youWanted: string;
  takeTheirs: string;
  keepMine: string;
  loadMore: string;
  shown: string;
  selected: PluralForms;
}

export const casesPhrases: Translations<CasesPhrases> = {
  en: {
    cases: "Cases",
    statuses: {
      open: "open",
      investigating: "investigating",
      pending_approval: "pending approval",
      contained: "contained",
      resolved: "resolved",
      closed: "closed",
    },
    severities: { critical: "Critical", high: "High", medium: "Medium", low: "Low", info: "Info" },
    sla: { ok: "in time", near: "due soon", breached: "overdue", met: "met" },
    fields: {
      title: "Title",
      severity: "Severity",
      status: "Status",
      description: "Description",
      assignee: "Assignee",
      requires_human_approval: "Needs approval",
      due_at: "Due",
      mitre_techniques: "Techniques",
      tags: "Tags",
    },
    sla_label: "SLA",
    respondBy: "Respond by",
    resolveBy: "Resolve by",
    unassigned: "Unassigned",
    yes: "yes",
    no: "no",
    none: "none",
    cancel: "Cancel",
    close: "Close",
    save: "Save",
    add: "Add",
    remove: "Remove",
    edit: "Edit",
    retry: "Try again",
    failed: "This could not be done",
    done: "Done",
    dummyReason: "Dummy mode: the data is invented and changes are refused",
    mayNot: "Your role does not allow this",
    conflictTitle: "The case changed meanwhile",
    conflictText: "Nothing of yours was stored yet. Choose which values stay.",
    conflictBy: "{name}, {time}",
    conflictUnknown: "by another user",
    was: "was",
    isNow: "is now",
    youWanted: "you wanted",
    takeTheirs: "Take theirs",
    keepMine: "Keep mine",
    loadMore: "Show earlier",
    shown: "{shown} of {total}",
    selected: { one: "# selected", other: "# selected" },
  },
  ar: {
    cases: "القضايا",
    statuses: {
      open: "مفتوحة",
      investigating: "قيد التحقيق",
      pending_approval: "بانتظار الموافقة",
      contained: "محتواة",
      resolved: "محلولة",
      closed: "مغلقة",
    },
    severities: { critical: "حرجة", high: "عالية", medium: "متوسطة", low: "منخفضة", info: "معلومة" },
    sla: { ok: "ضمن المهلة", near: "توشك المهلة", breached: "متأخرة", met: "أُنجزت" },
    fields: {
      title: "العنوان",
      severity: "الخطورة",
      status: "الحالة",
      description: "الوصف",
      assignee: "المسؤول",
      requires_human_approval: "تحتاج موافقة",
      due_at: "الموعد",
      mitre_techniques: "التقنيات",
      tags: "الوسوم",
    },
    sla_label: "المهلة",
    respondBy: "الاستجابة قبل",
    resolveBy: "الحل قبل",
    unassigned: "بلا مسؤول",
    yes: "نعم",
    no: "لا",
    none: "لا شيء",
    cancel: "إلغاء",
    close: "إغلاق",
    save: "حفظ",
    add: "إضافة",
    remove: "إزالة",
    edit: "تعديل",
    retry: "أعد المحاولة",
    failed: "تعذّر تنفيذ هذا",
    done: "تم",
    dummyReason: "وضع العرض: البيانات مختلقة والتغييرات مرفوضة",
    mayNot: "دورك لا يسمح بهذا",
    conflictTitle: "تغيّرت القضية في هذه الأثناء",
    conflictText: "لم يُحفظ شيء مما كتبت بعد. اختر القيم التي تبقى.",
    conflictBy: "{name}، {time}",
    conflictUnknown: "من مستخدم آخر",
    was: "كانت",
    isNow: "أصبحت",
    youWanted: "أردت",
    takeTheirs: "خذ قيمهم",
    keepMine: "أبقِ قيمي",
    loadMore: "اعرض الأقدم",
    shown: "{shown} من {total}",
    selected: { one: "# محددة", other: "# محددة" },
  },
};

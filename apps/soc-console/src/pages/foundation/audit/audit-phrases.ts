import type { Translations } from "../../../app/language/translations.ts";
import type { ExportFormat } from "./audit-client.ts";

export interface AuditPhrases {
  title: string;
  filter: string;
  actor: string;
  action: string;
  subjectType: string;
  subjectId: string;
  at: string;
  subject: string;
  what: string;
  openSubject: string;
  only: string;
  onlyActor: string;
  onlyAction: string;
  onlySubject: string;
  difference: string;
  noDifference: string;
  details: string;
  entry: string;
  range: string;
  zone: string;
  empty: string;
  emptyText: string;
  export: string;
  exportTitle: string;
  format: string;
  formats: Record<ExportFormat, string>;
  exportAll: string;
  exportUnknown: string;
  exportRecorded: string;
  csvHint: string;
  download: string;
  downloading: string;
  failed: string;
  close: string;
}

export const auditPhrases: Translations<AuditPhrases> = {
  en: {
    title: "Audit",
    filter: "Filter",
    actor: "Who",
    action: "Action, such as case.updated",
    subjectType: "Kind of record",
    subjectId: "Id of the record",
    at: "When",
    subject: "Record",
    what: "What changed",
    openSubject: "Open the record",
    only: "Show only",
    onlyActor: "by this person",
    onlyAction: "this action",
    onlySubject: "this record",
    difference: "Before and after",
    noDifference: "The entry names no former value.",
    details: "Details",
    entry: "Entry",
    range: "Range of time",
    zone: "Switch the time zone",
    empty: "Nothing happened in this range",
    emptyText: "Every change, sign-in and export leaves an entry. Choose a longer range.",
    export: "Export",
    exportTitle: "Export the audit log",
    format: "Format",
    formats: { ndjson: "JSON, one entry a line", csv: "CSV" },
    exportAll: "The file has all {total} entries of this filter: the service sets no limit.",
    exportUnknown: "The file has all entries of this filter: the service sets no limit.",
    exportRecorded: "The export leaves an entry in the audit log itself.",
    csvHint: "A text that a spreadsheet would read as a formula starts with an apostrophe.",
    download: "Download",
    downloading: "The service writes the file…",
    failed: "The file could not be read",
    close: "Close",
  },
  ar: {
    title: "سجل التدقيق",
    filter: "تصفية",
    actor: "من",
    action: "الإجراء، مثل case.updated",
    subjectType: "نوع المدخل",
    subjectId: "معرّف المدخل",
    at: "متى",
    subject: "المدخل",
    what: "ما تغيّر",
    openSubject: "افتح المدخل",
    only: "اعرض فقط",
    onlyActor: "ما فعله هذا الشخص",
    onlyAction: "هذا الإجراء",
    onlySubject: "هذا المدخل",
    difference: "قبل وبعد",
    noDifference: "لا يذكر القيد قيمة سابقة.",
    details: "التفاصيل",
    entry: "القيد",
    range: "المدة",
    zone: "تبديل المنطقة الزمنية",
    empty: "لم يحدث شيء في هذه المدة",
    emptyText: "كل تغيير ودخول وتصدير يترك قيدًا. اختر مدة أطول.",
    export: "تصدير",
    exportTitle: "تصدير سجل التدقيق",
    format: "الصيغة",
    formats: { ndjson: "JSON، قيد في كل سطر", csv: "CSV" },
    exportAll: "في الملف كل القيود المطابقة ({total}): لا تضع الخدمة حدًّا.",
    exportUnknown: "في الملف كل القيود المطابقة: لا تضع الخدمة حدًّا.",
    exportRecorded: "يترك التصدير نفسه قيدًا في سجل التدقيق.",
    csvHint: "النص الذي قد يقرؤه جدول بيانات صيغةً حسابية يبدأ بفاصلة عليا.",
    download: "تنزيل",
    downloading: "تكتب الخدمة الملف…",
    failed: "تعذّرت قراءة الملف",
    close: "إغلاق",
  },
};

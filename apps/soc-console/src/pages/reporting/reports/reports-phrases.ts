import type { Translations } from "../../../app/language/translations.ts";
import type { Report } from "./reports-client.ts";

export interface ReportsPhrases {
  title: string;
  back: string;
  create: string;
  createPreview: string;
  createTitle: string;
  createText: string;
  writing: string;
  created: string;
  kind: string;
  kinds: Record<Report["report_type"], string>;
  kindTexts: Record<Report["report_type"], string>;
  format: string;
  formats: Record<Report["format"], string>;
  formatTexts: Record<Report["format"], string>;
  anyKind: string;
  anyFormat: string;
  case: string;
  chooseCase: string;
  range: string;
  from: string;
  to: string;
  name: string;
  by: string;
  at: string;
  read: string;
  openCase: string;
  print: string;
  download: string;
  bundle: string;
  bundleText: string;
  notSigned: string;
  remove: string;
  removeTitle: string;
  removeText: string;
  removed: string;
  notShown: string;
  notShownText: string;
  notFound: string;
  notFoundText: string;
  preview: string;
  previewText: string;
  empty: string;
  emptyText: string;
  cancel: string;
  close: string;
}

export const reportsPhrases: Translations<ReportsPhrases> = {
  en: {
    title: "Reports",
    back: "All reports",
    create: "Write a report",
    createPreview: "Preview a report",
    createTitle: "New report",
    createText: "A report has what is true now. It is kept unchanged, also when its case is deleted.",
    writing: "Writing…",
    created: "The report is written",
    kind: "Kind",
    kinds: { investigation: "Investigation", executive: "Executive", compliance: "Compliance" },
    kindTexts: {
      investigation: "One case: summary, timeline, alerts, evidence, actions, and the ledger's bundle as proof.",
      executive: "A range of time in numbers: alerts, cases, times to answer, compared with the range before.",
      compliance: "A range of time: who had access, what was changed, approved and exported.",
    },
    format: "Format",
    formats: { markdown: "Markdown", html: "HTML", pdf: "PDF", json: "JSON" },
    formatTexts: {
      markdown: "Read and printed in this page.",
      html: "One file for any browser.",
      pdf: "For paper and archives.",
      json: "For programs, and for the offline tool of the ledger.",
    },
    anyKind: "All kinds",
    anyFormat: "All formats",
    case: "Case",
    chooseCase: "Choose a case",
    range: "Range",
    from: "From",
    to: "To",
    name: "Title",
    by: "Written by",
    at: "Written",
    read: "Read",
    openCase: "Open the case",
    print: "Print",
    download: "Download",
    bundle: "Ledger bundle",
    bundleText: "The bundle of the case as it is now, for the offline tool: manara-soc verify.",
    notSigned: "The words of a report are not signed; the ledger's bundle is.",
    remove: "Delete",
    removeTitle: "Delete this report?",
    removeText: "The report cannot be restored. Its deletion stays in the audit log.",
    removed: "The report is deleted",
    notShown: "This format is not shown in the page",
    notShownText: "Download the file to read it, or write the report as Markdown.",
    notFound: "There is no such report",
    notFoundText: "It was deleted, or the address is wrong.",
    preview: "Preview: nothing is stored",
    previewText: "In dry run the report is written and shown, but not kept.",
    empty: "No reports yet",
    emptyText: "Write one of a case, or of a range of time.",
    cancel: "Cancel",
    close: "Close",
  },
  ar: {
    title: "التقارير",
    back: "كل التقارير",
    create: "اكتب تقريرًا",
    createPreview: "عاين تقريرًا",
    createTitle: "تقرير جديد",
    createText: "في التقرير ما هو صحيح الآن. يبقى كما هو، حتى بعد حذف قضيته.",
    writing: "يُكتب…",
    created: "كُتب التقرير",
    kind: "النوع",
    kinds: { investigation: "تحقيق", executive: "تنفيذي", compliance: "امتثال" },
    kindTexts: {
      investigation: "قضية واحدة: ملخص وخط زمني وتنبيهات وأدلة وإجراءات، وحزمة السجل الموثّق إثباتًا.",
      executive: "مدة بالأرقام: التنبيهات والقضايا وأزمنة الاستجابة، مقارنة بالمدة السابقة.",
      compliance: "مدة: من كان له وصول، وما غُيّر ووُوفق عليه وصُدّر.",
    },
    format: "الصيغة",
    formats: { markdown: "Markdown", html: "HTML", pdf: "PDF", json: "JSON" },
    formatTexts: {
      markdown: "يُقرأ ويُطبع في هذه الصفحة.",
      html: "ملف واحد لأي متصفح.",
      pdf: "للورق والأرشيف.",
      json: "للبرامج، ولأداة السجل الموثّق دون اتصال.",
    },
    anyKind: "كل الأنواع",
    anyFormat: "كل الصيغ",
    case: "القضية",
    chooseCase: "اختر قضية",
    range: "المدة",
    from: "من",
    to: "إلى",
    name: "العنوان",
    by: "كتبه",
    at: "كُتب",
    read: "اقرأ",
    openCase: "افتح القضية",
    print: "اطبع",
    download: "تنزيل",
    bundle: "حزمة السجل الموثّق",
    bundleText: "حزمة القضية كما هي الآن، للأداة دون اتصال: manara-soc verify.",
    notSigned: "كلمات التقرير غير موقّعة؛ حزمة السجل الموثّق موقّعة.",
    remove: "احذف",
    removeTitle: "أتحذف هذا التقرير؟",
    removeText: "لا يمكن استعادة التقرير. يبقى حذفه في سجل التدقيق.",
    removed: "حُذف التقرير",
    notShown: "لا تُعرض هذه الصيغة في الصفحة",
    notShownText: "نزّل الملف لقراءته، أو اكتب التقرير بصيغة Markdown.",
    notFound: "لا يوجد تقرير كهذا",
    notFoundText: "حُذف، أو العنوان خاطئ.",
    preview: "معاينة: لا يُحفظ شيء",
    previewText: "في التشغيل الجاف يُكتب التقرير ويُعرض ولا يُحفظ.",
    empty: "لا تقارير بعد",
    emptyText: "اكتب واحدًا عن قضية، أو عن مدة.",
    cancel: "إلغاء",
    close: "إغلاق",
  },
};

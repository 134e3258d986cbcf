import type { Translations } from "../../../../app/language/translations.ts";
import type { Report } from "../../../reporting/reports/reports-client.ts";

export interface ReportPhrases {
  report: string;
  write: string;
  writePreview: string;
  writeAgain: string;
  writing: string;
  print: string;
  formats: Record<Report["format"], string>;
  downloadAs: string;
  earlier: string;
  by: string;
  empty: string;
  emptyText: string;
  mayNot: string;
  written: string;
  show: string;
}

export const reportPhrases: Translations<ReportPhrases> = {
  en: {
    report: "Report of the case",
    write: "Write the report",
    writePreview: "Preview the report",
    writeAgain: "Write it again",
    writing: "Writing…",
    print: "Print",
    formats: { markdown: "Markdown", html: "HTML", pdf: "PDF", json: "JSON" },
    downloadAs: "Download as",
    earlier: "Reports of this case",
    by: "{name}, {time}",
    empty: "No report yet",
    emptyText: "The report has the case, its alerts, evidence and the ledger's bundle, as they are now.",
    mayNot: "Your role does not allow reading reports.",
    written: "Written",
    show: "Show",
  },
  ar: {
    report: "تقرير القضية",
    write: "اكتب التقرير",
    writePreview: "عاين التقرير",
    writeAgain: "اكتبه من جديد",
    writing: "يُكتب…",
    print: "اطبع",
    formats: { markdown: "Markdown", html: "HTML", pdf: "PDF", json: "JSON" },
    downloadAs: "نزّل بصيغة",
    earlier: "تقارير هذه القضية",
    by: "{name}، {time}",
    empty: "لا تقرير بعد",
    emptyText: "يضم التقرير القضية وتنبيهاتها وأدلتها وحزمة السجل الموثّق كما هي الآن.",
    mayNot: "دورك لا يسمح بقراءة التقارير.",
    written: "كُتب",
    show: "اعرض",
  },
};

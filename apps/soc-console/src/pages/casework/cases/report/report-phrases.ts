import type { Phrases, Translations } from "../../../../app/language/translations.ts";

const english = {
  report: "Report of the case",
  write: "Create report",
  writePreview: "Preview the report",
  writeAgain: "Create again",
  print: "Print",
  formats: { markdown: "Markdown", html: "HTML", pdf: "PDF", json: "JSON" },
  downloadAs: "Download as",
  earlier: "Reports of this case",
  by: "{name}, {time}",
  empty: "No report yet",
  emptyText: "A snapshot of the case, its alerts, evidence and ledger proof.",
  mayNot: "Your role does not allow reading reports.",
  written: "Written",
};

const arabic: Phrases<typeof english> = {
  report: "تقرير القضية",
  write: "اكتب التقرير",
  writePreview: "عاين التقرير",
  writeAgain: "اكتبه من جديد",
  print: "اطبع",
  formats: { markdown: "Markdown", html: "HTML", pdf: "PDF", json: "JSON" },
  downloadAs: "نزّل بصيغة",
  earlier: "تقارير هذه القضية",
  by: "{name}، {time}",
  empty: "لا تقرير بعد",
  emptyText: "يضم التقرير القضية وتنبيهاتها وأدلتها وحزمة السجل الموثّق كما هي الآن.",
  mayNot: "دورك لا يسمح بقراءة التقارير.",
  written: "كُتب",
};

export const reportPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };

import { translations } from "../../../../app/language/translations.ts";

export const reportPhrases = translations({
  report: ["Report of the case", "تقرير القضية"],
  write: ["Create report", "اكتب التقرير"],
  writePreview: ["Preview the report", "عاين التقرير"],
  writeAgain: ["Create again", "اكتبه من جديد"],
  print: ["Print", "اطبع"],
  formats: {
    markdown: ["Markdown", "Markdown"],
    html: ["HTML", "HTML"],
    pdf: ["PDF", "PDF"],
    json: ["JSON", "JSON"],
  },
  downloadAs: ["Download as", "نزّل بصيغة"],
  earlier: ["Reports of this case", "تقارير هذه القضية"],
  by: ["{name}, {time}", "{name}، {time}"],
  empty: ["No report yet", "لا تقرير بعد"],
  emptyText: [
    "A snapshot of the case, its alerts, evidence and ledger proof.",
    "يضم التقرير القضية وتنبيهاتها وأدلتها وحزمة السجل الموثّق كما هي الآن.",
  ],
  mayNot: ["Your role does not allow reading reports.", "دورك لا يسمح بقراءة التقارير."],
  written: ["Written", "كُتب"],
});

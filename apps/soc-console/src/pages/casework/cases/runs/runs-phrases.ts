import type { Phrases, Translations } from "../../../../app/language/translations.ts";

const english = {
  runs: "Runs of playbooks",
  playbook: "Playbook",
  status: "Status",
  steps: "Steps",
  by: "Requested by",
  started: "Asked",
  simulated: "simulated",
  run: "Run a playbook",
  begun: "{name} started",
  previewed: "{name}: preview only, nothing was run",
  waitingApprovals: "Approvals of this case",
  approvedBy: "approved by {name}",
  runApproved: "Run it now",
  empty: "No playbook has run for this case",
  emptyText: "Press r to choose one.",
  mayNot: "Your role does not allow reading runs.",
};

const arabic: Phrases<typeof english> = {
  runs: "تشغيلات أدلة الاستجابة",
  playbook: "دليل الاستجابة",
  status: "الحالة",
  steps: "الخطوات",
  by: "طلبه",
  started: "طُلب",
  simulated: "محاكاة",
  run: "شغّل دليل استجابة",
  begun: "بدأ {name}",
  previewed: "{name}: معاينة فقط، لم يُشغَّل شيء",
  waitingApprovals: "موافقات هذه القضية",
  approvedBy: "وافق {name}",
  runApproved: "شغّله الآن",
  empty: "لم يعمل أي دليل استجابة لهذه القضية",
  emptyText: "اضغط r لاختيار واحد.",
  mayNot: "دورك لا يسمح بقراءة التشغيلات.",
};

export const runsPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };

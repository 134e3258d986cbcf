import { translations } from "../../../../app/language/translations.ts";

export const runsPhrases = translations({
  runs: ["Runs of playbooks", "تشغيلات أدلة الاستجابة"],
  playbook: ["Playbook", "دليل الاستجابة"],
  status: ["Status", "الحالة"],
  steps: ["Steps", "الخطوات"],
  by: ["Requested by", "طلبه"],
  started: ["Asked", "طُلب"],
  simulated: ["simulated", "محاكاة"],
  run: ["Run a playbook", "شغّل دليل استجابة"],
  begun: ["{name} started", "بدأ {name}"],
  previewed: ["{name}: preview only, nothing was run", "{name}: معاينة فقط، لم يُشغَّل شيء"],
  waitingApprovals: ["Approvals of this case", "موافقات هذه القضية"],
  approvedBy: ["approved by {name}", "وافق {name}"],
  runApproved: ["Run it now", "شغّله الآن"],
  empty: ["No playbook has run for this case", "لم يعمل أي دليل استجابة لهذه القضية"],
  emptyText: ["Press r to choose one.", "اضغط r لاختيار واحد."],
  mayNot: ["Your role does not allow reading runs.", "دورك لا يسمح بقراءة التشغيلات."],
});

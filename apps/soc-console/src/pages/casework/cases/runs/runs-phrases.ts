import type { Translations } from "../../../../app/language/translations.ts";

export interface RunsPhrases {
  runs: string;
  playbook: string;
  status: string;
  steps: string;
  by: string;
  started: string;
  simulated: string;
  run: string;
  begun: string;
  waitingApprovals: string;
  approvedBy: string;
  runApproved: string;
  empty: string;
  emptyText: string;
  mayNot: string;
}

export const runsPhrases: Translations<RunsPhrases> = {
  en: {
    runs: "Runs of playbooks",
    playbook: "Playbook",
    status: "Status",
    steps: "Steps",
    by: "Asked by",
    started: "Asked",
    simulated: "simulated",
    run: "Run a playbook",
    begun: "{name} has begun",
    waitingApprovals: "Approvals of this case",
    approvedBy: "approved by {name}",
    runApproved: "Run it now",
    empty: "No playbook has run for this case",
    emptyText: "Press r to choose one.",
    mayNot: "Your role does not allow reading runs.",
  },
  ar: {
    runs: "تشغيلات الكتيّبات",
    playbook: "الكتيّب",
    status: "الحالة",
    steps: "الخطوات",
    by: "طلبه",
    started: "طُلب",
    simulated: "محاكاة",
    run: "شغّل كتيّبًا",
    begun: "بدأ {name}",
    waitingApprovals: "موافقات هذه القضية",
    approvedBy: "وافق {name}",
    runApproved: "شغّله الآن",
    empty: "لم يعمل أي كتيّب لهذه القضية",
    emptyText: "اضغط r لاختيار واحد.",
    mayNot: "دورك لا يسمح بقراءة التشغيلات.",
  },
};

import type { Severity } from "../alerts/alerts/alerts.schema.ts";
import type { TaskStatus } from "../cases/cases/case-items.schema.ts";
import type { CaseStatus } from "../cases/cases/cases.schema.ts";
import type { Analyst, CaseKey } from "./story.ts";

/** An actor in a case: a person or an agent of the platform. */
export type Actor = Analyst | "TriageAgent" | "CorrelationAgent" | "FirmwareAgent" | "ResponseAgent";

export interface EvidenceStory {
  name: string;
  evidence_type: string;
  location: string;
  /** The first entry registers the evidence. */
  custody: [minutesAgo: number, actor: Actor, action: string, notes: string | null][];
}

/** The facts of one case, each list in chronological order; all other fields are derived from them. */
export interface CaseStory {
  key: CaseKey;
  title: string;
  description: string;
  severity: Severity;
  status: CaseStatus;
  assignee: Analyst;
  requires_human_approval: boolean;
  openedMinutesAgo: number;
  timeline: [minutesAgo: number, actor: Actor, action: string][];
  observables: [minutesAgo: number, type: string, value: string, source: string, tags: string[]][];
  evidence: EvidenceStory[];
  comments: [minutesAgo: number, author: Actor, body: string][];
  tasks: [minutesAgo: number, title: string, status: TaskStatus, assignee: Analyst][];
}

export const CASE_STORIES: readonly CaseStory[] = [
  {
    key: "backup",
    title: "Backup server looks like a thief",
    description:
      "Two detections fired on the weekly full backup. Kept as an example of a case that ends well: the finding is " +
      "answered, the verdict goes back to the rules, and the same noise does not come again.",
    severity: "low",
    status: "closed",
    assignee: "yusuf.karim",
    requires_human_approval: false,
    openedMinutesAgo: 2840,
    timeline: [
      [2840, "sara.mansour", "case created from 2 alerts"],
      [2800, "yusuf.karim", "status: open → investigating"],
      [2770, "mei.tan", "comment added"],
      [2765, "yusuf.karim", "status: investigating → closed"],
    ],
    observables: [[2838, "hostname", "BACKUP-01", "dlp", ["internal"]]],
    evidence: [],
    comments: [
      [
        2798,
        "yusuf.karim",
        "The job list shows a full backup at exactly that time. Asking detection to tune the rule.",
      ],
      [2770, "mei.tan", "Both rules now exclude BACKUP-01 while its job runs. Marked as false positive."],
    ],
    tasks: [[2795, "Exclude the backup window from the rule", "done", "mei.tan"]],
  },
  {
    key: "takeover",
    title: "Account of layla.haddad was taken over",
    description:
      "A mail led to a copy of our sign-in page; the password was typed there and the second factor was approved on the " +
      "eleventh prompt. The account is disabled and its sessions have ended. What was done with it continues in the " +
      "case about the file server.",
    severity: "high",
    status: "contained",
    assignee: "yusuf.karim",
    requires_human_approval: false,
    openedMinutesAgo: 1530,
    timeline: [
      [1530, "TriageAgent", "case created from 4 alerts: same user, same address, within 50 minutes"],
      [1524, "sara.mansour", "status: open → investigating"],
      [1488, "TriageAgent", "2 alerts linked"],
      [1470, "yusuf.karim", "severity: medium → high"],
      [1400, "yusuf.karim", "evidence registered: Phishing mail with full headers"],
      [1390, "daniel.okafor", "account disabled, sessions ended, application consent withdrawn"],
      [1385, "yusuf.karim", "status: investigating → contained"],
    ],
    observables: [
      [1525, "domain", "manara-sso.example", "email-gateway", ["phishing", "blocked"]],
      [1525, "ip", "203.0.113.24", "identity-provider", ["hosting-provider"]],
      [1485, "domain", "pdf-viewer-pro.example", "cloud-audit", ["malicious-application"]],
      [1480, "user", "layla.haddad", "identity-provider", ["victim"]],
    ],
    evidence: [
      {
        name: "Phishing mail with full headers",
        evidence_type: "email",
        location: "Evidence store, shelf 3",
        custody: [
          [1400, "yusuf.karim", "collected", "Taken from the gateway's quarantine, not from the mailbox."],
          [1360, "amina.farouk", "received for analysis", null],
        ],
      },
      {
        name: "Sign-in log of the identity provider, 48 hours",
        evidence_type: "log",
        location: "Evidence store, shelf 3",
        custody: [[1378, "yusuf.karim", "collected", null]],
      },
    ],
    comments: [
      [
        1466,
        "yusuf.karim",
        "Spoke with Layla on the phone: she typed the password and later pressed 'approve' to stop the prompts.",
      ],
      [1392, "daniel.okafor", "Disabled the account, ended all sessions and removed the consent of 'PDF Viewer Pro'."],
    ],
    tasks: [
      [1465, "Block manara-sso.example at the proxy and in mail", "done", "daniel.okafor"],
      [1464, "Ask the five others who got the mail", "done", "sara.mansour"],
      [1384, "Number matching instead of 'approve' for the second factor", "in_progress", "hassan.ali"],
    ],
  },
  {
    key: "movement",
    title: "From a finance laptop to the file server",
    description:
      "With the stolen account the attacker ran code on FIN-LT-014, read passwords from memory and used svc-backup to reach " +
      "FILE-SRV-02. Drawings and gateway configurations of the waterworks were copied. The laptop is isolated; the " +
      "server still works for the whole company and is watched.",
    severity: "critical",
    status: "investigating",
    assignee: "amina.farouk",
    requires_human_approval: false,
    openedMinutesAgo: 1290,
    timeline: [
      [1290, "TriageAgent", "case created from 2 alerts on FIN-LT-014"],
      [1284, "yusuf.karim", "status: open → investigating"],
      [1236, "CorrelationAgent", "related to 'Account of layla.haddad was taken over': same user"],
      [1090, "yusuf.karim", "severity: high → critical"],
      [1088, "yusuf.karim", "assignee: amina.farouk@manara.example"],
      [940, "amina.farouk", "evidence registered: Memory image of FIN-LT-014"],
      [700, "CorrelationAgent", "1 alert linked: engineering share copied"],
      [260, "daniel.okafor", "endpoint isolated: FIN-LT-014, approved by hassan.ali"],
    ],
    observables: [
      [1288, "ip", "198.51.100.77", "edr", ["command-and-control", "blocked"]],
      [1288, "domain", "cdn-update.example", "edr", ["command-and-control"]],
      [1280, "md5", "7f3a0c51d2b94e68a1f05d3c9be27746", "edr", ["credential-dumper"]],
      [1100, "hostname", "FILE-SRV-02", "siem", ["compromised"]],
      [1100, "user", "svc-backup", "siem", ["compromised"]],
    ],
    evidence: [
      {
        name: "Memory image of FIN-LT-014",
        evidence_type: "memory",
        location: "Forensic workstation 1",
        custody: [
          [940, "amina.farouk", "acquired", "Before the laptop was isolated, so that connections are in it."],
          [905, "daniel.okafor", "copied to the evidence store", "Hash compared before and after."],
          [610, "amina.farouk", "received for analysis", null],
        ],
      },
      {
        name: "Network capture between FILE-SRV-02 and 198.51.100.77",
        evidence_type: "network_capture",
        location: "Sensor office-2",
        custody: [[880, "yusuf.karim", "acquired", "30 minutes, both directions."]],
      },
    ],
    comments: [
      [
        1092,
        "yusuf.karim",
        "svc-backup has rights on every server. If its password is out, this is no longer about one laptop.",
      ],
      [
        690,
        "amina.farouk",
        "They took network drawings of the waterworks. The shift lead knows that visitors may come.",
      ],
      [
        255,
        "hassan.ali",
        "Approved the isolation of the laptop. The file server stays on until its replacement takes over tonight.",
      ],
    ],
    tasks: [
      [1085, "Change the password of svc-backup twice", "done", "daniel.okafor"],
      [930, "Analyse the memory image", "in_progress", "amina.farouk"],
      [685, "List everything that svc-backup read on the engineering share", "in_progress", "yusuf.karim"],
      [254, "Replace FILE-SRV-02", "todo", "daniel.okafor"],
    ],
  },
  {
    key: "devices",
    title: "Unknown firmware on a recitation player and a pump gateway",
    description:
      "The same unknown measurement was attested by player-kiosk-07 in the learning centre and, four hours later, by " +
      "gw-waterworks-02. The controllers' interlock has refused all writes. To revoke both devices' certificates cuts " +
      "them off at once; for the gateway a person must agree, because hall 2 is then driven by hand.",
    severity: "critical",
    status: "pending_approval",
    assignee: "amina.farouk",
    requires_human_approval: true,
    openedMinutesAgo: 598,
    timeline: [
      [598, "FirmwareAgent", "case created: attestation of player-kiosk-07 is untrusted"],
      [592, "yusuf.karim", "status: open → investigating"],
      [
        538,
        "CorrelationAgent",
        "related to 'From a finance laptop to the file server': FILE-SRV-02 opened the first connection",
      ],
      [330, "FirmwareAgent", "1 alert linked: gw-waterworks-02 attests the same unknown measurement"],
      [326, "amina.farouk", "severity: high → critical"],
      [290, "amina.farouk", "evidence registered: Firmware image read from player-kiosk-07"],
      [180, "daniel.okafor", "approval requested: revoke the certificates of player-kiosk-07 and gw-waterworks-02"],
      [180, "ResponseAgent", "status: investigating → pending_approval"],
    ],
    observables: [
      [
        596,
        "sha256",
        "b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184",
        "cps-attestation",
        ["firmware", "unknown"],
      ],
      [595, "hostname", "player-kiosk-07", "cps-attestation", ["untrusted"]],
      [328, "hostname", "gw-waterworks-02", "cps-attestation", ["untrusted"]],
      [590, "user", "contractor-maint", "siem", ["expired-contract"]],
    ],
    evidence: [
      {
        name: "Firmware image read from player-kiosk-07",
        evidence_type: "firmware",
        location: "Forensic workstation 2",
        custody: [
          [290, "amina.farouk", "acquired", "Read from flash with the device switched off."],
          [270, "amina.farouk", "sealed", "Bag 0417, signed by the caretaker and by me."],
        ],
      },
      {
        name: "TPM quote of gw-waterworks-02",
        evidence_type: "attestation",
        location: "Evidence store, shelf 1",
        custody: [[325, "yusuf.karim", "collected", "Quote, nonce and certificate chain."]],
      },
    ],
    comments: [
      [
        586,
        "yusuf.karim",
        "The player itself does no harm. It matters because it stands in a network from which the waterworks can be reached.",
      ],
      [
        318,
        "amina.farouk",
        "The interlock did its work: three writes, three refusals. But it is the last line, not the first.",
      ],
      [178, "daniel.okafor", "Shift lead agrees to drive hall 2 by hand for two hours. Waiting for the decision."],
    ],
    tasks: [
      [584, "Withdraw the contractor's maintenance key on all players", "done", "daniel.okafor"],
      [316, "Close the path from the classroom network to the waterworks", "done", "daniel.okafor"],
      [285, "Compare the firmware image with release 2.4.1", "in_progress", "amina.farouk"],
      [176, "Decide on the revocation", "blocked", "hassan.ali"],
    ],
  },
];

import { cite, type Finding } from "../investigations/findings.ts";
import { toWholeTechnique } from "../investigations/techniques.ts";
import { attestedVerdict, isMail, MEASUREMENT_FIELDS } from "./event-kinds.ts";
import type { AgentPlan, JudgedSubject, MadeCall, PlannedCall } from "./step.ts";
import { listAddresses, listValues, SENDER_FIELDS } from "./subject.ts";

/** A built-in playbook and its condition. */
interface Choice {
  playbook_id: string;
  fits: (subject: JudgedSubject) => boolean;
  /** The inputs that the playbook does not take from the alert. */
  parameters?: (subject: JudgedSubject) => Record<string, string>;
  /**
   * Why only a person may start it; without a reason it starts automatically. Critical playbooks wait for an approval.
   */
  reason?: string;
}

const DEVICE_FIELDS = ["device_id", "device.id"];

function has({ alert }: JudgedSubject, ...techniques: readonly string[]): boolean {
  return alert.mitre_techniques.some((id) => techniques.includes(toWholeTechnique(id)));
}

const hasHost = ({ alert }: JudgedSubject) => alert.host !== null && alert.host.trim() !== "";
const hasUser = ({ alert }: JudgedSubject) => alert.user !== null && alert.user.trim() !== "";

function rejectedIn(subject: JudgedSubject): JudgedSubject {
  const events = subject.events.filter((event) => ["untrusted", "failed"].includes(attestedVerdict(event)));
  return { ...subject, events };
}

function listDevices(subject: JudgedSubject): string[] {
  return listValues(rejectedIn(subject), DEVICE_FIELDS);
}

/** The first match is used, because a case gets one response at a time. */
const CHOICES: readonly Choice[] = [
  {
    playbook_id: "firmware-mismatch",
    fits: (subject) => listDevices(subject).length === 1,
    parameters: (subject) => {
      const [device_id = ""] = listDevices(subject);
      const [hash] = listValues(rejectedIn(subject), MEASUREMENT_FIELDS);
      return { device_id, ...(hash !== undefined && { hash }) };
    },
  },
  { playbook_id: "ransomware-host", fits: (subject) => hasHost(subject) && has(subject, "T1486", "T1490") },
  {
    playbook_id: "data-theft",
    fits: (subject) => hasHost(subject) && has(subject, "T1020", "T1030", "T1041", "T1048", "T1537", "T1567"),
  },
  { playbook_id: "leaked-credential", fits: (subject) => hasUser(subject) && has(subject, "T1552", "T1589") },
  {
    playbook_id: "phishing",
    fits: (subject) => has(subject, "T1566") || subject.events.some(isMail),
    // Not the URL: the playbook makes it a known indicator, and the sender of a mail controls its text.
    parameters: (subject) => {
      const [sender] = listValues(subject, SENDER_FIELDS);
      return sender === undefined ? {} : { sender };
    },
  },
  { playbook_id: "suspicious-admin", fits: (subject) => hasUser(subject) && has(subject, "T1098", "T1136") },
  {
    playbook_id: "brute-force",
    fits: (subject) => hasUser(subject) && has(subject, "T1110"),
    reason: "it can resolve the alert without a person",
  },
  {
    playbook_id: "malicious-address",
    fits: (subject) =>
      listAddresses(subject, "dst_ip").length > 0 && has(subject, "T1071", "T1095", "T1105", "T1571", "T1572", "T1573"),
    reason: "it makes an address from the events a known indicator",
  },
  {
    playbook_id: "rogue-device",
    fits: (subject) => listAddresses(subject, "src_ip").length > 0 && has(subject, "T1200"),
    reason: "it makes an address from the events a known indicator",
  },
];

function isTriggered({ judgement, case_id }: JudgedSubject): boolean {
  return judgement.verdict === "malicious" && case_id !== undefined;
}

function choose(subject: JudgedSubject): Choice | undefined {
  return isTriggered(subject) ? CHOICES.find(({ fits }) => fits(subject)) : undefined;
}

function planCalls(subject: JudgedSubject): PlannedCall[] {
  const choice = choose(subject);
  if (!choice || choice.reason !== undefined) return [];
  const parameters = choice.parameters?.(subject) ?? {};
  const input = { playbook_id: choice.playbook_id, alert_id: subject.alert.id, parameters, dry_run: false };
  return [{ tool: "execute_playbook", input }];
}

function conclude(subject: JudgedSubject, made: readonly MadeCall[]): Finding[] {
  const choice = choose(subject);
  const result = choice && describeResult(choice, made);
  return result === undefined || subject.events.length === 0 ? [] : [cite(result, subject.events, ["host"])];
}

function describeResult({ playbook_id, reason }: Choice, made: readonly MadeCall[]): string | undefined {
  if (reason !== undefined) return `The playbook ${playbook_id} fits; a person must start it, because ${reason}.`;
  const answer = made.find(
    ({ tool, input }) => tool === "execute_playbook" && input.playbook_id === playbook_id,
  )?.answer;
  if (!answer || ("dry_run" in answer && answer.dry_run === true)) return undefined;
  if (answer.error_code === "approval_required") return `The playbook ${playbook_id} waits for a person's approval.`;
  return answer.error_code === null ? `The playbook ${playbook_id} was started.` : undefined;
}

/** Starts the playbook that fits the case. The gate of the tool decides whether it waits for an approval. */
export const RESPONSE_PLAN: AgentPlan<JudgedSubject> = { agent: "agent-014", isTriggered, calls: planCalls, conclude };

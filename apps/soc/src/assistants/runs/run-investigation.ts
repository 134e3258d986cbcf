import { Problem } from "@kit/problem";
import type { Condition } from "@kit/query/condition";
import type { Alert } from "../../alerts/module.ts";
import { type AskingRule, buildRuleCondition } from "../../detection/module.ts";
import { type CheckedFinding, checkFindings } from "../investigations/checker.ts";
import type { EventReader } from "../investigations/event-reader.ts";
import type { Finding } from "../investigations/findings.ts";
import { byTime } from "../investigations/gather.ts";
import { investigate, type Investigation as Judged } from "../investigations/investigate.ts";
import { toInvestigatedAlert } from "../investigations/log-event-reader.ts";
import { recommendActions } from "../investigations/recommendations.ts";
import type { InvestigationVerdict } from "../investigations/verdict.ts";
import type { AgentPlan, JudgedSubject, Subject } from "../plans/step.ts";
import { createParts, type Parts } from "./agent-parts.ts";
import { isAgentsNow, isAlert, isRuleOrNull } from "./forms.ts";
import { type InvestigationRow, reviveAlert, toAlert } from "./investigation.ts";
import { rememberEvents } from "./known-events.ts";
import type { AgentsNow, InvestigationPorts } from "./ports.ts";
import { createRecordedReader } from "./recorded-reader.ts";
import { type Recording, requireForm } from "./recording.ts";
import type { AgentPart, StatedFinding } from "./runs.schema.ts";
import { joinOpinion } from "./second-opinion.ts";

export interface Plans {
  evidence: readonly AgentPlan[];
  /** In this order: the first may open the case that the others use. */
  judged: readonly AgentPlan<JudgedSubject>[];
}

export type InvestigationInput = Pick<
  InvestigationRow,
  "investigation_id" | "trigger" | "alert_id" | "alert_context" | "severity" | "has_cps_assets"
>;

/** The result of an investigation. */
export interface Conclusion {
  status: "completed" | "failed";
  verdict: InvestigationVerdict | null;
  confidence: number | null;
  summary: string | null;
  findings: StatedFinding[];
  mitre_techniques: string[];
  recommended_actions: string[];
  agents: AgentPart[];
  case_id: string | null;
  error: string | null;
}

export interface RunInvestigationDeps {
  investigation: InvestigationInput;
  plans: Plans;
  recording: Recording;
  outside: InvestigationPorts;
}

export const SUPERVISOR = "agent-016";
/** How many agents gather evidence concurrently. */
const AGENTS_CONCURRENCY = 4;
const NOTHING: Omit<Conclusion, "error" | "agents"> = {
  ...{ status: "failed", verdict: null, confidence: null, summary: null, findings: [] },
  ...{ mitre_techniques: [], recommended_actions: [], case_id: null },
};

/**
 * Conducts an investigation. Deterministic: all outside data comes through the recording, so that it continues after a
 * crash and can be replayed.
 */
export async function runInvestigation({
  investigation,
  plans,
  recording,
  outside,
}: RunInvestigationDeps): Promise<Conclusion> {
  const gaps = new Set<string>();
  const onGap = (what: string, { kind }: Problem) => gaps.add(`${what} (${kind})`);
  const asked = { recording, agent_id: SUPERVISOR, reader: outside.reader, onGap } as const;
  const reader = rememberEvents(createRecordedReader(asked));
  const seeds = createSeeds({ recording, outside });
  let parts: Parts | undefined;
  try {
    const now = await seeds.now();
    const stored = investigation.alert_id === null ? undefined : await seeds.alert(investigation.alert_id);
    const alert = stored ?? toAlert(investigation, investigation.alert_context, now);
    const known = await seeds.agents();
    parts = createParts({ known, alert, isStored: stored !== undefined, recording, outside });
    await parts.begin(SUPERVISOR);
    const condition = alert.rule_id === null ? undefined : toCondition(await seeds.rule(alert.rule_id));
    const { log_ids } = toInvestigatedAlert(alert);
    const events = log_ids.length === 0 ? [] : byTime(await reader.find(log_ids));
    const subject: Subject = { alert, events, has_cps_assets: investigation.has_cps_assets };
    const found = await parts.gather(plans.evidence, subject, AGENTS_CONCURRENCY);
    const judged = await investigate(reader, toInvestigatedAlert(alert), condition, known.requires_evidence === true);
    const decided = await parts.decide(plans.judged, {
      ...subject,
      judgement: judged,
      case_id: alert.case_id ?? undefined,
      ...(known.opens_cases !== undefined && { opens_cases: known.opens_cases }),
    });
    const checkAll = (each: Finding[]) => check(reader, alert, judged, each);
    const planned = await checkAll([...found, ...decided.findings]);
    // Called after all agents that act, because the model may change the verdict but no action.
    const call = parts.callAsSupervisor;
    const asking = { model: known.model, agent_id: SUPERVISOR, recording, outside, call, check: checkAll } as const;
    const opinion = await joinOpinion(asking, subject, judged);
    const { case_id } = decided;
    const { verdict, confidence } = opinion;
    const findings = [...judged.findings, ...planned, ...opinion.findings];
    const recommended_actions = recommendActions(judged.evidence, verdict, case_id !== undefined);
    const summary = summarise([judged.summary, ...opinion.words], parts.list(), gaps);
    if (case_id !== undefined && (investigation.trigger === "alert" || decided.isOpened)) {
      await parts.note(case_id, formatNote(investigation, recommended_actions, summary));
    }
    await parts.end(SUPERVISOR, undefined);
    const { mitre_techniques } = judged;
    return {
      ...{ status: "completed", verdict, confidence, summary, findings, mitre_techniques, recommended_actions },
      ...{ agents: parts.list(), case_id: case_id ?? null, error: null },
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await parts?.end(SUPERVISOR, error.message);
    return { ...NOTHING, agents: parts?.list() ?? [], error: explain(error) };
  }
}

/** Reads the initial state; a replay takes it from the record. */
function createSeeds({ recording, outside }: Pick<RunInvestigationDeps, "recording" | "outside">) {
  const ask = (kind: "seed" | "clock", name: string, given: object | null, work: () => Promise<unknown>) =>
    recording.step(SUPERVISOR, { kind, name, arguments: given, work });
  return {
    async now(): Promise<Date> {
      return new Date(String(await ask("clock", "now", null, async () => outside.now().toISOString())));
    },

    async alert(alert_id: string): Promise<Alert> {
      return reviveAlert(
        requireForm(await ask("seed", "alert", { alert_id }, () => outside.readAlert(alert_id)), isAlert),
      );
    },

    async rule(rule_id: string): Promise<AskingRule | null> {
      return requireForm(await ask("seed", "rule", { rule_id }, () => outside.readRule(rule_id)), isRuleOrNull);
    },

    async agents(): Promise<AgentsNow> {
      return requireForm(await ask("seed", "agents", null, () => outside.readAgents()), isAgentsNow);
    },
  };
}

/** Without a valid rule the investigation continues without its condition. */
function toCondition(rule: AskingRule | null): Condition | undefined {
  try {
    return rule === null ? undefined : buildRuleCondition(rule);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

async function check(
  reader: Pick<EventReader, "find">,
  alert: Alert,
  { evidence, mitre_techniques }: Judged,
  findings: readonly Finding[],
): Promise<CheckedFinding[]> {
  if (findings.length === 0) return [];
  const titles = [alert.title, ...evidence.linked.map((linked) => linked.alert.title)];
  return checkFindings(reader, findings, { titles, techniques: mitre_techniques });
}

const REASONS: Readonly<Partial<Record<AgentPart["status"], string>>> = {
  failed: "failed",
  parked: "parked",
  disabled: "disabled",
  busy: "busy",
};

/** Summarises the judgement and its gaps. */
function summarise(judged: readonly string[], agents: readonly AgentPart[], gaps: ReadonlySet<string>): string {
  const missing = agents.flatMap(({ name, status }) => (REASONS[status] ? [`${name} (${REASONS[status]})`] : []));
  return [
    ...judged,
    ...(gaps.size === 0 ? [] : [`Not read: ${[...gaps].join(", ")}.`]),
    ...(missing.length === 0 ? [] : [`Without ${missing.join(", ")}.`]),
  ].join(" ");
}

function formatNote({ investigation_id }: InvestigationInput, recommended: readonly string[], summary: string): string {
  const actions = recommended.map((each) => `- ${each}`).join("\n");
  return `Investigation ${investigation_id}: ${summary}\n${actions}`.slice(0, 4000);
}

function explain({ kind, message }: Problem): string {
  return kind === "unavailable" ? `the events of the alert could not be read: ${message}` : message;
}

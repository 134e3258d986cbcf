import type { Alert } from "../../alerts/module.ts";
import { AGENT_NAMES, type AgentId } from "../agents/agent-names.ts";
import { type AgentDefinition, CATALOG } from "../agents/catalog.ts";
import type { Finding } from "../investigations/findings.ts";
import {
  type AgentPlan,
  type JudgedSubject,
  MAX_CALLS,
  type MadeCall,
  type PlannedCall,
  type Subject,
} from "../plans/step.ts";
import { isBegun, isEnvelope } from "./forms.ts";
import type { AgentsNow, InvestigationPorts } from "./ports.ts";
import { type Recording, requireForm } from "./recording.ts";
import { type BoundedValue, isRecord, toBounded } from "./recording-limits.ts";
import type { AgentPart } from "./runs.schema.ts";

export interface PartsDeps {
  known: AgentsNow;
  alert: Alert;
  /** Whether the alert is stored, so that tools can find it. */
  isStored: boolean;
  recording: Pick<Recording, "step">;
  outside: Pick<InvestigationPorts, "begin" | "end" | "call">;
}
export type Parts = ReturnType<typeof createParts>;

interface CaseDecision {
  findings: Finding[];
  case_id: string | undefined;
  isOpened: boolean;
}

const SUPERVISOR = "agent-016";
/** The tool failed; any other code is an answer to the request. */
const FAULTS: readonly string[] = ["unavailable", "timeout", "internal", "budget_exceeded"];

/** Runs and records the parts of agents in one investigation. */
export function createParts({ known, alert, isStored, recording, outside }: PartsDeps) {
  const parts = new Map<AgentId, AgentPart>();

  function add(agent_id: AgentId, status: AgentPart["status"], run_id: string | null): AgentPart {
    const part: AgentPart = { agent_id, name: AGENT_NAMES[agent_id], run_id, status, calls: [] };
    parts.set(agent_id, part);
    return part;
  }

  async function begin(agent_id: AgentId): Promise<AgentPart | undefined> {
    const work = () => outside.begin(agent_id);
    const answer = await recording.step(agent_id, { kind: "seed", name: "begin", arguments: null, work });
    const begun = requireForm(answer, isBegun);
    if (begun.state === "granted") return add(agent_id, "running", begun.run_id);
    add(agent_id, begun.state, null);
    return undefined;
  }

  async function end(agent_id: AgentId, error: string | undefined): Promise<void> {
    const part = parts.get(agent_id);
    if (part?.status !== "running") return;
    part.status = error === undefined ? "completed" : "failed";
    await outside.end(agent_id, { status: part.status, error: error ?? null });
  }

  async function call(
    part: AgentPart,
    agent: AgentDefinition,
    planned: PlannedCall,
    budgetMs?: number,
  ): Promise<MadeCall> {
    const { tool } = planned;
    const input = isStored ? planned.input : withoutAlert(planned.input, alert);
    const recorded = await recording.step(agent.id, {
      kind: "tool",
      name: tool,
      arguments: input,
      work: (key) => outside.call(agent, tool, input, key, budgetMs),
      bound: boundEnvelope,
      findCode,
    });
    const answer = requireForm(recorded, isEnvelope);
    part.calls.push({ tool, status: String(answer.status), error_code: answer.error_code });
    return { tool, input, answer };
  }

  /** Runs the plan of one agent if it is triggered and may run. */
  async function run<About extends Subject>(plan: AgentPlan<About>, subject: About): Promise<[Finding[], MadeCall[]]> {
    const agent = CATALOG.find(({ id }) => id === plan.agent);
    if (!agent || !plan.isTriggered(subject)) return [[], []];
    if (!isHere(known, agent.id, alert.site)) {
      add(agent.id, "elsewhere", null);
      return [[], []];
    }
    const part = await begin(agent.id);
    if (!part) return [[], []];
    const made: MadeCall[] = [];
    for (const planned of plan.calls(subject).slice(0, MAX_CALLS)) made.push(await call(part, agent, planned));
    const fault = made.find(({ answer }) => FAULTS.includes(answer.error_code ?? ""));
    const hasFailed = fault && made.every(({ answer }) => answer.error_code !== null);
    await end(agent.id, hasFailed ? `${fault.tool}: ${fault.answer.error ?? "failed"}` : undefined);
    return [plan.conclude(subject, made), made];
  }

  async function callAsSupervisor(planned: PlannedCall, budgetMs?: number): Promise<MadeCall | undefined> {
    const part = parts.get(SUPERVISOR);
    const agent = CATALOG.find(({ id }) => id === SUPERVISOR);
    return part?.status === "running" && agent ? call(part, agent, planned, budgetMs) : undefined;
  }

  return {
    begin,
    end,

    /** In the order of the catalog, whichever ended first. */
    list: (): AgentPart[] => CATALOG.flatMap(({ id }) => parts.get(id) ?? []),

    /** Runs the plans concurrently; the findings have the order of the plans. */
    async gather(plans: readonly AgentPlan[], subject: Subject, concurrency: number): Promise<Finding[]> {
      const found = new Map<AgentPlan, Finding[]>();
      const waiting = [...plans];
      async function work(): Promise<void> {
        for (let plan = waiting.shift(); plan; plan = waiting.shift()) found.set(plan, (await run(plan, subject))[0]);
      }
      await Promise.all(Array.from({ length: concurrency }, work)).finally(() => waiting.splice(0));
      return plans.flatMap((plan) => found.get(plan) ?? []);
    },

    /** Runs the plans sequentially, because each uses the case that an earlier one opened. */
    async decide(plans: readonly AgentPlan<JudgedSubject>[], subject: JudgedSubject): Promise<CaseDecision> {
      const decided: CaseDecision = { findings: [], case_id: subject.case_id, isOpened: false };
      for (const plan of plans) {
        const [findings, made] = await run(plan, { ...subject, case_id: decided.case_id });
        decided.findings.push(...findings);
        const opened = findOpened(made);
        if (opened === undefined) continue;
        decided.case_id = opened;
        decided.isOpened = true;
      }
      return decided;
    },

    callAsSupervisor,

    /** Adds a comment to the case. */
    async note(case_id: string, notes: string): Promise<void> {
      await callAsSupervisor({ tool: "update_case", input: { case_id, notes } });
    },
  };
}

/** An agent without sites works everywhere, and every agent handles alerts without a site. */
function isHere({ agents, sites }: AgentsNow, agent_id: AgentId, site: string | null): boolean {
  const deployed = agents.find(({ id }) => id === agent_id)?.sites ?? [];
  if (deployed.length === 0 || site === null) return true;
  const wanted = site.toLowerCase();
  const named = sites.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  return named !== undefined && deployed.includes(named.id);
}

function findOpened(made: readonly MadeCall[]): string | undefined {
  const opened = made.find(({ tool, answer }) => tool === "create_case" && answer.error_code === null)?.answer;
  const fields: unknown = opened;
  return isRecord(fields) && typeof fields.case_id === "string" ? fields.case_id : undefined;
}

function findCode(answer: unknown): string | null {
  return isRecord(answer) && typeof answer.error_code === "string" ? answer.error_code : null;
}

/** Limits the result but keeps the envelope. */
function boundEnvelope(answer: unknown, maxBytes: number): BoundedValue {
  const { status = "completed", error_code = null, error = null, ...rest } = isRecord(answer) ? answer : {};
  const { value, isCut } = toBounded(rest, maxBytes);
  return { value: { status, error_code, error, ...(isRecord(value) && value) }, isCut };
}

/** Tools cannot find an alert that is not stored: a case about it gets its title instead. */
function withoutAlert({ alert_ids, ...input }: PlannedCall["input"], { id, title }: Alert): PlannedCall["input"] {
  if (!Array.isArray(alert_ids)) return input;
  return { title, ...input, alert_ids: alert_ids.filter((each) => each !== id) };
}

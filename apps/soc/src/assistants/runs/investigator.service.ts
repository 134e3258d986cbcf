import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { AlertsService } from "../../alerts/module.ts";
import type { RulesService } from "../../detection/module.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { ALL_SITES, type Caller } from "../../foundation/caller/caller.ts";
import { readRecordScope } from "../../foundation/caller/record-scope.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { SitesService } from "../../identity/module.ts";
import type { AgentsService } from "../agents/agents.service.ts";
import { findDefinition } from "../agents/catalog.ts";
import type { EventReader } from "../investigations/event-reader.ts";
import type { Model } from "../models/model.ts";
import type { ModelTool } from "../models/model-tool.ts";
import type { Reply } from "../models/reply.ts";
import type { CallOptions, ToolsService } from "../tools/tools.service.ts";
import type { InvestigationRow } from "./investigation.ts";
import type { AgentSlot, InvestigationPorts } from "./ports.ts";
import { createRecording, Mismatch, type StepKey } from "./recording.ts";
import { createRetryPolicy } from "./retry-policy.ts";
import { createRetryingReader } from "./retrying-reader.ts";
import { type Conclusion, type Plans, runInvestigation, SUPERVISOR } from "./run-investigation.ts";
import { type ClaimedRun, Lost, type RunClaim, type RunWork } from "./run-work.store.ts";
import type { RunsStore } from "./runs.store.ts";

/** The records that an investigation starts with. */
interface Records {
  alerts: Pick<AlertsService, "get">;
  rules: Pick<RulesService, "get">;
  sites: Pick<SitesService, "all" | "findNames">;
}

export interface InvestigatorDeps extends Records {
  db: Kysely<Tables>;
  work: RunWork;
  records: Pick<RunsStore, "listSteps">;
  plans: Plans;
  tools: Pick<ToolsService, "call" | "find" | "listUsable">;
  /** Undefined if the operator configured none. */
  model: Model | undefined;
  /** The value of SOC_AGENT_CASES; default: true. */
  opensCases?: boolean;
  agents: Pick<AgentsService, "list" | "noteRun">;
  /** Creates the reader of an investigation with the permissions of its caller. */
  createReader: (caller: Caller, signal: AbortSignal) => EventReader;
  audit: Recorder;
  clock: Pick<Clock, "now" | "sleep" | "deadline" | "monotonicMs">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "warn" | "info">;
  /** For tests: runs before and after each step. */
  onCheckpoint?: (place: string) => Promise<void>;
}
export type InvestigatorService = ReturnType<typeof createInvestigatorService>;

/** The time limit of one investigation in one worker. */
const MAX_DURATION_MS = 120_000;
const MAX_WAIT_FOR_INSTANCE_MS = 20_000;
const INSTANCE_POLL_MS = 200;
const TOO_LONG = `took longer than ${MAX_DURATION_MS / 1000} s`;
const OTHER_RELEASE = "was started by another release of the platform and cannot be continued; request it again";
const NO_CONCLUSION: Omit<Conclusion, "error"> = {
  ...{ status: "failed", verdict: null, confidence: null, summary: null, findings: [] },
  ...{ mitre_techniques: [], recommended_actions: [], agents: [], case_id: null },
};

/** Runs investigations in a worker. */
export function createInvestigatorService(deps: InvestigatorDeps) {
  const { db, work, records, plans, tools, model, agents, audit, clock, ids, log } = deps;
  const { onCheckpoint = async () => undefined } = deps;

  /** Waits a limited time for an instance of the agent. */
  async function begin(
    hold: RunClaim,
    agent_id: Parameters<InvestigationPorts["begin"]>[0],
    signal: AbortSignal,
  ): Promise<AgentSlot> {
    const run_id = ids.next();
    for (let waitedMs = 0; waitedMs < MAX_WAIT_FOR_INSTANCE_MS; waitedMs += INSTANCE_POLL_MS) {
      const agent = (await agents.list({})).items.find(({ id }) => id === agent_id);
      if (!agent || agent.status === "disabled") return { run_id: null, state: "disabled" };
      if (agent.instances === 0) return { run_id: null, state: "parked" };
      // The claim has already counted the supervisor.
      const instances = agent_id === SUPERVISOR ? Number.MAX_SAFE_INTEGER : agent.instances;
      const taken = await work.takeInstance(hold, agent_id, run_id, Math.min(instances, 1000));
      if (taken !== undefined) return { run_id: taken, state: "granted" };
      await clock.sleep(INSTANCE_POLL_MS, signal);
    }
    return { run_id: null, state: "busy" };
  }

  /** Returns the tools of a model, which change nothing. */
  function listReadTools(caller: Caller): ModelTool[] {
    return tools.listUsable(caller, findDefinition(SUPERVISOR), "internal").filter(({ changes }) => !changes);
  }

  function createOutside(hold: RunClaim, caller: Caller, signal: AbortSignal): InvestigationPorts {
    const patience = createRetryPolicy({ clock, signal });
    let askedAtMs: number | undefined;
    return {
      now: () => clock.now(),
      readAlert: (alert_id) => orFault(deps.alerts.get(ALL_SITES, alert_id)),

      async readRule(rule_id) {
        try {
          const rule = await orFault(deps.rules.get(caller, rule_id));
          const { query, source, host, match_severity, sigma_yaml } = rule;
          return rule.type === "sequence" ? null : { query, source, host, match_severity, sigma_yaml };
        } catch (error) {
          if (error instanceof Problem && error.kind === "not_found") return null;
          throw error;
        }
      },

      async readAgents() {
        const { items } = await orFault(agents.list({}));
        return {
          agents: items.map(({ id, status, instances, sites }) => ({ id, status, instances, sites })),
          sites: (await orFault(deps.sites.all(ALL_SITES))).map(({ id, name }) => ({ id, name })),
          model: model ? { name: model.name, tools: listReadTools(caller).map(({ name }) => name) } : null,
          requires_evidence: true,
          ...(deps.opensCases !== undefined && { opens_cases: deps.opensCases }),
        };
      },

      reader: createRetryingReader(deps.createReader(caller, signal), patience),
      begin: (agent_id) => orFault(begin(hold, agent_id, signal)),

      async ask(conversation, names, milliseconds) {
        askedAtMs ??= clock.monotonicMs();
        const leftMs = Math.round(milliseconds - (clock.monotonicMs() - askedAtMs));
        if (!model) return failReply("no model is configured");
        if (leftMs <= 0) return failReply(`no answer within ${milliseconds} ms`);
        const seen = listReadTools(caller).filter(({ name }) => names.includes(name));
        return model.ask({ ...conversation, tools: seen }, { milliseconds: leftMs, signal });
      },

      pause: (milliseconds) => clock.sleep(milliseconds, signal),

      async call(agent, tool, input, key, budgetMs) {
        const options = { agent, budgetMs, signal, effect: "internal", once: createOnce(hold, key) } as const;
        let answer = await tools.call(caller, tool, input, options);
        // A failed read is omitted and named; a failed change, such as opening a case, is retried.
        const isRepeated = tools.find(tool)?.changes ?? false;
        while (isRepeated && answer.error_code === "unavailable" && (await patience.wait())) {
          answer = await tools.call(caller, tool, input, options);
        }
        await onCheckpoint(`called ${tool}`);
        return answer;
      },

      async end(agent_id, { status, error }) {
        const ending = db.transaction().execute(async (tx) => {
          const now = clock.now();
          if (!(await work.endRun(tx, hold, agent_id, { status, error, now }))) return;
          await agents.noteRun(tx, agent_id, { at: now, error });
        });
        await orFault(ending);
      },
    };
  }

  const createOnce =
    (hold: RunClaim, key: StepKey): NonNullable<CallOptions["once"]> =>
    (tx, change) =>
      work.once(tx, hold, key, change);

  /**
   * The investigation reads and acts in the site of its alert: its case shows what it found to everybody who sees the
   * alert.
   */
  async function limitCaller({ caller, alert_id }: InvestigationRow): Promise<Caller> {
    if (alert_id === null) return caller;
    const { site } = await orFault(deps.alerts.get(ALL_SITES, alert_id));
    const scope = await orFault(readRecordScope([site], deps.sites.findNames));
    if (scope === ALL_SITES) return caller;
    return { ...caller, sites: caller.sites ? scope.filter((text) => caller.sites?.includes(text)) : scope };
  }

  async function conclude(hold: RunClaim, row: InvestigationRow, signal: AbortSignal): Promise<Conclusion> {
    const recording = createRecording({
      known: await records.listSteps(hold.investigation_id),
      async store(step) {
        signal.throwIfAborted();
        await onCheckpoint(`before ${step.agent_id} ${step.sequence}`);
        await orFault(work.storeStep(hold, step));
        await onCheckpoint(`after ${step.agent_id} ${step.sequence}`);
      },
      now: () => clock.now(),
    });
    const outside = createOutside(hold, await limitCaller(row), signal);
    try {
      return await runInvestigation({ investigation: row, plans, recording, outside });
    } catch (error) {
      if (error instanceof Mismatch) {
        log.warn({ err: error, ...hold }, "recorded investigation is incompatible with this release");
        return { ...NO_CONCLUSION, error: OTHER_RELEASE };
      }
      if (!signal.aborted) throw error;
      return { ...NO_CONCLUSION, error: TOO_LONG };
    }
  }

  async function finish(hold: RunClaim, conclusion: Conclusion): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const ended = await work.finish(tx, hold, conclusion, clock.now());
      if (ended) await audit.record(tx, buildEndChange(ended));
    });
  }

  return {
    /** Continues where the record ends. Throws if the platform fails, and is then run again. */
    async run(handed: ClaimedRun): Promise<void> {
      const owner = ids.next();
      const row = await work.take(handed, owner);
      if (!row) return;
      const hold = { investigation_id: handed.investigation_id, owner };
      const signal = clock.deadline(MAX_DURATION_MS);
      try {
        await onCheckpoint("taken");
        const conclusion = await conclude(hold, row, signal);
        await onCheckpoint("concluded");
        await finish(hold, conclusion);
        await onCheckpoint("finished");
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        log.info(hold, "investigation was cancelled or taken over");
      }
    },
  };
}

function failReply(detail: string): Reply {
  return { kind: "failed", text: "", usage: { input: 0, output: 0 }, detail };
}

/**
 * Converts a database failure to an error, so that the investigation is run again. As a Problem it would count as an
 * answer, and the investigation would continue without part of its record.
 */
async function orFault<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== "unavailable") throw error;
    throw new Error("the database failed during an investigation", { cause: error });
  }
}

export function buildEndChange(row: InvestigationRow) {
  const { investigation_id, status, verdict, confidence, alert_id, case_id, error } = row;
  return {
    actor: row.requested_by,
    action: `investigation.${status}`,
    subject_type: "investigation",
    subject_id: investigation_id,
    details: { verdict, confidence, alert_id, case_id, error },
  };
}

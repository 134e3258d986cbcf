import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { AlertsService } from "../../alerts/module.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller, Scope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { AgentsService } from "../agents/agents.service.ts";
import { findDefinition } from "../agents/catalog.ts";
import {
  buildInvestigation,
  type Investigation,
  type InvestigationDetail,
  isOver,
  type NewInvestigation,
  parseContext,
} from "./investigation.ts";
import type { RecordedStep } from "./recording.ts";
import type { InvestigateRequest, ListInvestigationsQuery, QueueBody } from "./runs.schema.ts";
import { createRunsWriter, type RunsStore } from "./runs.store.ts";

export interface RunsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: RunsStore; showcase: RunsStore };
  alerts: Pick<AlertsService, "get">;
  agents: Pick<AgentsService, "list">;
  audit: Recorder;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
  ids: Pick<Ids, "next">;
}
export type RunsService = ReturnType<typeof createRunsService>;

type PreparedRequest = Pick<NewInvestigation, "request" | "alert">;

export interface Transcript {
  investigation: InvestigationDetail;
  steps: RecordedStep[];
  is_expired: boolean;
}

/** The maximum number of waiting automatic investigations. */
export const QUEUE_CAPACITY = 1000;
/** Both must have a free instance for an investigation to run. */
const LIMITING: readonly string[] = ["agent-001", "agent-016"];
const MAX_WAIT_MS = 8000;
/** An investigation that has not started by then waits behind others. */
const MAX_QUEUED_WAIT_MS = 2000;
const POLL_MS = 200;

/** The sweep deletes the steps of investigations that ended before. */
export const STEPS_RETENTION_MS = 90 * 24 * 60 * 60_000;

function hasExpired({ ended_at }: Pick<InvestigationDetail, "ended_at">, now: Date): boolean {
  return ended_at !== null && now.getTime() - ended_at.getTime() > STEPS_RETENTION_MS;
}

export function createRunsService({ runtime, stores, alerts, agents, audit, clock, ids }: RunsServiceDeps) {
  async function get(investigation_id: string): Promise<InvestigationDetail> {
    const found = await (await runtime.choose(stores)).find(investigation_id);
    if (!found) throw notFound("investigation", investigation_id);
    return found;
  }

  /** Returns how many investigations may run concurrently over all workers. */
  async function readWidth(): Promise<number> {
    const { items } = await agents.list({});
    const limiting = items.filter(({ id }) => LIMITING.includes(id));
    return Math.min(...limiting.map(({ status, instances }) => (status === "disabled" ? 0 : instances)), 10);
  }

  return {
    get,
    readWidth,

    /** Checks a request before any transaction. */
    async prepare(scope: Scope, asked: InvestigateRequest): Promise<PreparedRequest> {
      const alert_context = parseContext(asked.alert_context);
      const { alert_id } = alert_context;
      return {
        request: { ...asked, alert_context },
        alert: alert_id === undefined ? undefined : await alerts.get(scope, alert_id),
      };
    },

    async request(tx: Tx, caller: Caller, prepared: PreparedRequest): Promise<InvestigationDetail> {
      const investigation_id = ids.next();
      const row = buildInvestigation({ investigation_id, ...prepared, event_id: null, caller, now: clock.now() });
      await createRunsWriter(tx).insert(row);
      await audit.record(tx, {
        actor: caller.username,
        action: "investigation.requested",
        subject_type: "investigation",
        subject_id: investigation_id,
        details: { alert_id: row.alert_id, severity: row.severity },
      });
      return { ...row, id: investigation_id };
    },

    /** Returns the investigation after its end, or its current state when the time is over. */
    async wait(investigation_id: string, signal: AbortSignal): Promise<InvestigationDetail> {
      const begun = clock.monotonicMs();
      for (;;) {
        const found = await get(investigation_id);
        const waitedMs = clock.monotonicMs() - begun;
        const maxMs = found.status === "queued" ? MAX_QUEUED_WAIT_MS : MAX_WAIT_MS;
        if (isOver(found) || waitedMs > maxMs || signal.aborted) return found;
        await clock.sleep(POLL_MS, signal).catch(() => undefined);
      }
    },

    async list(query: ListInvestigationsQuery): Promise<Page<Investigation>> {
      const { agent_id, ...rest } = query;
      // An agent can be given by name; an unknown one has no runs.
      const named = agent_id === undefined ? {} : { agent_id: findDefinition(agent_id)?.id ?? agent_id };
      return (await runtime.choose(stores)).list({ ...rest, ...named });
    },

    async transcript(investigation_id: string): Promise<Transcript> {
      const investigation = await get(investigation_id);
      const steps = await (await runtime.choose(stores)).listSteps(investigation_id);
      return { investigation, steps, is_expired: steps.length === 0 && hasExpired(investigation, clock.now()) };
    },

    async queue(): Promise<QueueBody> {
      const counts = await (await runtime.choose(stores)).countQueue(clock.now());
      return { ...counts, width: await readWidth(), capacity: QUEUE_CAPACITY };
    },

    async cancel(tx: Tx, caller: Caller, investigation_id: string): Promise<InvestigationDetail> {
      const writer = createRunsWriter(tx);
      const found = await writer.lock(investigation_id);
      if (!found) throw notFound("investigation", investigation_id);
      if (isOver(found))
        throw new Problem("conflict", `investigation '${investigation_id}' is already ${found.status}`);
      const error = `cancelled by ${caller.username}`;
      await writer.cancel(investigation_id, error, clock.now());
      await audit.record(tx, {
        actor: caller.username,
        action: "investigation.cancelled",
        subject_type: "investigation",
        subject_id: investigation_id,
        details: { alert_id: found.alert_id, former_status: found.status },
      });
      return { ...found, id: investigation_id, status: "cancelled", error, ended_at: clock.now() };
    },
  };
}

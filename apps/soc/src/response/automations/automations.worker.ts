import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import Type from "typebox";
import Value from "typebox/value";
import type { Background } from "../../foundation/base.ts";
import type { Consumption, EventStream, StreamEvent } from "../../foundation/events/event-stream.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { AutomationFirings } from "./automation-firings.ts";
import type { ParkedEventsService } from "./parked-events.service.ts";

type Firings = Pick<AutomationFirings, "consider" | "begin">;

export interface AutomationsWorkerDeps {
  /** Delivers events to one process at a time, and to none while the mode allows no internal work. */
  outbox: Pick<EventStream, "consume">;
  firings: Firings;
  parked: Pick<ParkedEventsService, "park">;
}

export interface ParkedEventsRetryDeps {
  firings: Firings;
  parked: Pick<ParkedEventsService, "retryDue">;
  runtime: Pick<RuntimeService, "truth">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}

const EVENTS_BATCH_SIZE = 100;
/** After this many attempts the event is parked, so that it does not block later events. */
const MAX_ATTEMPTS = 10;
const RETRY_POLL_MS = 2000;
/** The data of a decision that approves a playbook requested by an automation. */
const Agreed = Type.Object({
  kind: Type.Literal("playbook"),
  status: Type.Literal("approved"),
  requested_by: Type.String({ pattern: "^automation:" }),
  playbook_id: Type.String(),
});

async function handleEvent(firings: Firings, { type, subject_id, data }: StreamEvent): Promise<void> {
  if (type === "alert.created" || type === "alert.reopened") await firings.consider(subject_id);
  if (type !== "approval.decided" || !Value.Check(Agreed, data)) return;
  await firings.begin({ approval_id: subject_id, playbook_id: data.playbook_id, actor: data.requested_by });
}

/** Runs automations for every new or reopened alert, and starts their playbooks after approval. */
export function consumeAlerts({ outbox, firings, parked }: AutomationsWorkerDeps): Consumption {
  return outbox.consume({
    name: "automations",
    from: "next",
    most: EVENTS_BATCH_SIZE,
    async handle({ events, attempt }) {
      for (const event of events) {
        await handleEvent(firings, event).catch((error: unknown) => {
          if (attempt < MAX_ATTEMPTS) throw error;
          return parked.park(event, error);
        });
      }
    },
  });
}

/** Retries parked events when they are due. */
export function createParkedEventsRetry({ firings, parked, runtime, clock, log }: ParkedEventsRetryDeps): Background {
  return createPollingLoop({
    async round() {
      const { is_database_available, is_internal_workflows_allowed } = await runtime.truth();
      if (!is_database_available || !is_internal_workflows_allowed) return;
      await parked.retryDue((event) => handleEvent(firings, event));
    },
    waitMs: RETRY_POLL_MS,
    failure: "retry of parked automation events failed",
    clock,
    log,
  });
}

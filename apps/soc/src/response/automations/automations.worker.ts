import type { Log } from "@kit/log";
import Type from "typebox";
import Value from "typebox/value";
import type { Consumption, EventStream, StreamEvent } from "../../foundation/events/event-stream.ts";
import type { AutomationFirings } from "./automation-firings.ts";

export interface AutomationsWorkerDeps {
  /** Delivers events to one process at a time, and to none while the mode allows no internal work. */
  outbox: Pick<EventStream, "consume">;
  firings: Pick<AutomationFirings, "consider" | "begin">;
  log: Pick<Log, "error">;
}

const EVENTS_BATCH_SIZE = 100;
/** After this many attempts the event is logged and skipped, so that it does not block later events. */
const MAX_ATTEMPTS = 10;
/** The data of a decision that approves a playbook requested by an automation. */
const Agreed = Type.Object({
  kind: Type.Literal("playbook"),
  status: Type.Literal("approved"),
  requested_by: Type.String({ pattern: "^automation:" }),
  playbook_id: Type.String(),
});

/** Runs automations for every new alert, and starts their playbooks once they are approved. */
export function consumeAlerts({ outbox, firings, log }: AutomationsWorkerDeps): Consumption {
  async function handleEvent({ type, subject_id, data }: StreamEvent): Promise<void> {
    if (type === "alert.created") await firings.consider(subject_id);
    if (type !== "approval.decided" || !Value.Check(Agreed, data)) return;
    await firings.begin({ approval_id: subject_id, playbook_id: data.playbook_id, actor: data.requested_by });
  }

  return outbox.consume({
    name: "automations",
    from: "next",
    most: EVENTS_BATCH_SIZE,
    async handle({ events, attempt }) {
      for (const event of events) {
        await handleEvent(event).catch((error: unknown) => {
          if (attempt < MAX_ATTEMPTS) throw error;
          const { type, subject_id } = event;
          log.error({ err: error, type, subject_id }, "automation event skipped after repeated failures");
        });
      }
    },
  });
}

import type { Log } from "@kit/log";
import Type from "typebox";
import Value from "typebox/value";
import type { Consumption, EventStream, StreamEvent } from "../../foundation/events/event-stream.ts";
import type { AutomationFirings } from "./automation-firings.ts";

export interface AutomationsWorkerDeps {
  /** The outbox. One process at a time is handed its events, none while the mode allows no internal work. */
  outbox: Pick<EventStream, "consume">;
  firings: Pick<AutomationFirings, "consider" | "begin">;
  log: Pick<Log, "error">;
}

const EVENTS_BATCH_SIZE = 100;
/** Then a bug is more likely than bad luck, and what is behind it has waited long enough. */
const MAX_ATTEMPTS = 10;
/** Of a decision: somebody agreed to what an automation wants to begin. */
const Agreed = Type.Object({
  kind: Type.Literal("playbook"),
  status: Type.Literal("approved"),
  requested_by: Type.String({ pattern: "^automation:" }),
  playbook_id: Type.String(),
});

/** Holds every new alert against the automations, and has them go on with what people agreed to. */
export function consumeAlerts({ outbox, firings, log }: AutomationsWorkerDeps): Consumption {
  async function look({ type, subject_id, data }: StreamEvent): Promise<void> {
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
        await look(event).catch((error: unknown) => {
          if (attempt < MAX_ATTEMPTS) throw error;
          const { type, subject_id } = event;
          log.error({ err: error, type, subject_id }, "automations could not look at an event");
        });
      }
    },
  });
}

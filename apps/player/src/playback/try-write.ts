import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";

/** Writes something that is worth keeping but not worth silence: a full storage is told once, and music goes on. */
export type TryWrite = (write: () => void) => void;

export function createTryWrite({ events, log }: { events: Pick<Events, "emit">; log: Log }): TryWrite {
  let isFailing = false;
  return (write) => {
    try {
      write();
      isFailing = false;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!isFailing) {
        log.error({ err: error }, "not kept");
        events.emit("error", { code: "storage", message: error.message });
      }
      isFailing = true;
    }
  };
}

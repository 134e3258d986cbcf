import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";

/** Runs a write that must not interrupt playback: a failing store is reported once, and playback continues. */
export type TryWrite = (write: () => void) => void;

export function createTryWrite({ events, log }: { events: Pick<Events, "emit">; log: Log }): TryWrite {
  let isFailing = false;
  return (write) => {
    try {
      write();
      isFailing = false;
    } catch (error) {
      if (!isFailing) {
        log.error({ err: error }, "write failed, playback continues");
        const message = error instanceof Problem ? error.message : "storage: a write failed";
        events.emit("error", { code: "storage", message });
      }
      isFailing = true;
    }
  };
}

import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";

/**
 * Runs a write that must not interrupt playback: a failing store is reported once, and playback continues. It never
 * throws. A write with a name that the storage refuses is repeated until it succeeds or a later one has its name.
 */
export type TryWrite = (write: () => void, name?: string) => void;

export interface Writer extends TryWrite {
  /** Drops the writes that wait: the data they belong to was erased. */
  forget(): void;
  /** Repeats the writes that wait for the last time. */
  close(): void;
}

export interface TryWriteDeps {
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "error">;
}

const RETRY_MS = 30_000;

export function createTryWrite({ events, clock, log }: TryWriteDeps): Writer {
  const waiting = new Map<string, () => void>();
  const timer = createTimer(clock);
  let isFailing = false;

  function attempt(write: () => void): "done" | "refused" | "impossible" {
    try {
      write();
      isFailing = false;
      return "done";
    } catch (error) {
      if (!isFailing) {
        log.error({ err: error }, "write failed, playback continues");
        const message = error instanceof Problem ? error.message : "storage: it could not be written";
        events.emit("error", { code: "storage", message });
      }
      isFailing = true;
      return error instanceof Problem ? "refused" : "impossible";
    }
  }

  function retry(): void {
    for (const [name, write] of waiting) {
      if (attempt(write) === "refused") {
        timer.set(RETRY_MS, retry);
        return;
      }
      waiting.delete(name);
    }
  }

  function tryWrite(write: () => void, name = ""): void {
    waiting.delete(name);
    const outcome = attempt(write);
    if (outcome === "done") retry();
    if (outcome !== "refused" || name === "") return;
    waiting.set(name, write);
    if (!timer.isSet()) timer.set(RETRY_MS, retry);
  }

  return Object.assign(tryWrite, {
    forget(): void {
      waiting.clear();
    },
    close(): void {
      timer.cancel();
      for (const write of waiting.values()) attempt(write);
      waiting.clear();
    },
  });
}

import type { Log } from "../siem/log.ts";
import type { Window } from "./schedule.ts";

/** Logs that this process has stored itself, kept until the stream has passed them, so that it need not read them back. */
export interface StreamOffers {
  add(logs: readonly Log[]): void;
  /** Those in the window. They are all there are only if the log store counts as many. */
  in(window: Window): Log[];
  /** The stream has passed all before this. */
  forgetBefore(instant: Date): void;
}

const LOGS_KEPT = 50_000;

export function createStreamOffers(logsKept = LOGS_KEPT): StreamOffers {
  let batches: (readonly Log[])[] = [];
  let count = 0;

  function keep(kept: (readonly Log[])[]): void {
    batches = kept;
    count = kept.reduce((sum, batch) => sum + batch.length, 0);
  }

  return {
    add(logs) {
      keep([...batches, logs]);
      while (count > logsKept) keep(batches.slice(1));
    },
    in({ from, to }) {
      const [first, end] = [from.toISOString(), to.toISOString()];
      return batches.flat().filter(({ ingested_at }) => ingested_at >= first && ingested_at < end);
    },
    forgetBefore(instant) {
      const first = instant.toISOString();
      keep(batches.map((batch) => batch.filter((log) => log.ingested_at >= first)).filter((batch) => batch.length > 0));
    },
  };
}

import Type, { type Static } from "typebox";
import { LOG_SEVERITIES } from "../../ports/log-event.ts";
import type { LogSelection } from "../../ports/log-store.ts";

const Count = Type.Integer({ minimum: 0 });

/** One day of logs in the bucket, by time of arrival in UTC. */
export const OldDay = Type.Object({
  /** The day as the log engine names its partition: 20261117. */
  day: Type.Integer({ minimum: 19_700_101, maximum: 99_991_231 }),
  logs: Count,
  bytes: Count,
  /** The earliest and the latest of the logs' timestamps. */
  first: Type.String(),
  last: Type.String(),
  by_severity: Type.Record(Type.Enum(LOG_SEVERITIES), Count),
  /** The most frequent sources, up to a high number. */
  sources: Type.Array(
    Type.Object({ source: Type.String(), events: Count, first_seen: Type.String(), last_seen: Type.String() }),
  ),
  moved_at: Type.String(),
  /**
   * What remains of it on the machine. `whole`: all of it, still read only by searches already running. `leaving`:
   * being deleted, so nothing may be read. `gone`: nothing. Later logs of this day stay on the machine and are read
   * there.
   */
  on_box: Type.Enum(["whole", "leaving", "gone"]),
});
export type OldDay = Static<typeof OldDay>;

export const DAY_MS = 24 * 60 * 60_000;

/** Returns the day of an instant, as the log engine names its partition. */
export function toDay(at: Date): number {
  return Number(at.toISOString().slice(0, 10).replaceAll("-", ""));
}

/** Returns the instant at which a day begins. */
export function toStartMs(day: number): number {
  const text = String(day);
  return Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T00:00:00Z`);
}

/** Whether a selection may have logs of this day. */
export function concerns({ day, first, last }: OldDay, { time, from, to }: Pick<LogSelection, "time" | "from" | "to">) {
  const startMs = toStartMs(day);
  const isByArrival = time === "ingested_at";
  const firstMs = isByArrival ? startMs : Date.parse(first);
  const lastMs = isByArrival ? startMs + DAY_MS - 1 : Date.parse(last);
  return firstMs < to.getTime() && lastMs >= from.getTime();
}

import Type, { type Static } from "typebox";
import { LOG_SEVERITIES } from "../../ports/log-event.ts";
import type { LogSelection } from "../../ports/log-store.ts";

const Count = Type.Integer({ minimum: 0 });

/** One day of logs, by the time of their arrival in UTC, that is in the bucket. */
export const OldDay = Type.Object({
  /** As the log engine names its partition: 20261117. */
  day: Type.Integer({ minimum: 19_700_101, maximum: 99_991_231 }),
  logs: Count,
  bytes: Count,
  /** The earliest and the latest of their timestamps. */
  first: Type.String(),
  last: Type.String(),
  by_severity: Type.Record(Type.Enum(LOG_SEVERITIES), Count),
  /** The most frequent ones, up to a high number. */
  sources: Type.Array(
    Type.Object({ source: Type.String(), events: Count, first_seen: Type.String(), last_seen: Type.String() }),
  ),
  moved_at: Type.String(),
  /**
   * What is left of it on the box: all of it, which is read no more but by searches that began before; nothing that may be
   * read, since it is being deleted; nothing. Logs of this day that arrive after that stay on the box, and are read there.
   */
  on_box: Type.Enum(["whole", "leaving", "gone"]),
});
export type OldDay = Static<typeof OldDay>;

export const DAY_MS = 24 * 60 * 60_000;

/** The day of an instant, as the log engine names its partition. */
export function toDay(at: Date): number {
  return Number(at.toISOString().slice(0, 10).replaceAll("-", ""));
}

/** The instant at which a day begins. */
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

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** The widths of a bucket that a person can read from an axis. */
const INTERVALS_S = [
  ...[1, 5, 10, 30, MINUTE_S, 5 * MINUTE_S, 15 * MINUTE_S, 30 * MINUTE_S],
  ...[HOUR_S, 3 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S, DAY_S, 7 * DAY_S, 30 * DAY_S],
];

/** The smallest width with which a span has at most so many buckets. They begin at multiples of it since 1970. */
export function chooseInterval({ from, to }: { from: Date; to: Date }, buckets: number): number {
  const span_s = (to.getTime() - from.getTime()) / 1000;
  // A span that begins within a bucket touches one more.
  return INTERVALS_S.find((interval) => span_s / interval + 1 <= buckets) ?? Math.ceil(span_s / (buckets - 1));
}

/** The beginning of the bucket of an alert. One that was seen after the span too counts at its end. */
export function findBucket(last_seen: Date, to: Date, interval_s: number): Date {
  const at_s = Math.min(last_seen.getTime(), to.getTime() - 1) / 1000;
  return new Date(Math.floor(at_s / interval_s) * interval_s * 1000);
}

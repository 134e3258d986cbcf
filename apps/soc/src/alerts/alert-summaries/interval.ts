const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** The bucket widths that are readable on an axis. */
const INTERVALS_S = [
  ...[1, 5, 10, 30, MINUTE_S, 5 * MINUTE_S, 15 * MINUTE_S, 30 * MINUTE_S],
  ...[HOUR_S, 3 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S, DAY_S, 7 * DAY_S, 30 * DAY_S],
];

/**
 * Returns the smallest width that divides a span into at most `buckets` buckets. Buckets begin at multiples of the
 * width since 1970.
 */
export function chooseInterval({ from, to }: { from: Date; to: Date }, buckets: number): number {
  const span_s = (to.getTime() - from.getTime()) / 1000;
  // A span that begins inside a bucket touches one more bucket.
  return INTERVALS_S.find((interval) => span_s / interval + 1 <= buckets) ?? Math.ceil(span_s / (buckets - 1));
}

/** Returns the start of an alert's bucket. An alert that was also seen after the span counts in the last bucket. */
export function findBucket(last_seen: Date, to: Date, interval_s: number): Date {
  const at_s = Math.min(last_seen.getTime(), to.getTime() - 1) / 1000;
  return new Date(Math.floor(at_s / interval_s) * interval_s * 1000);
}

export interface BucketPart {
  key: string;
  value: number;
  /** A CSS variable: "var(--fill-high)". */
  fill: string;
}

export interface Bucket {
  /** Start of the bucket. */
  at: string;
  parts: readonly BucketPart[];
}

export interface TimeSpan {
  from: string;
  to: string;
  /** The length of a bucket, as the service states it. Without it, the smallest distance between two buckets. */
  intervalS?: number | undefined;
}

export interface Bar {
  x: number;
  width: number;
  parts: { key: string; fill: string; y: number; height: number }[];
}

function sumParts({ parts }: Bucket): number {
  return parts.reduce((sum, part) => sum + part.value, 0);
}

export function bucketLength(buckets: readonly Bucket[], { from, to, intervalS }: TimeSpan): number {
  if (intervalS !== undefined) return intervalS * 1000;
  const times = buckets.map(({ at }) => Date.parse(at));
  const whole = Date.parse(to) - Date.parse(from);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return Math.min(whole, ...gaps.filter((gap) => gap > 0));
}

export interface Plot extends TimeSpan {
  width: number;
  height: number;
}

const MAX_GAP = 2;

/** Bars with gaps, aligned to whole pixels so that all gaps look equal. Nonzero values are at least 1 px high. */
export function layBars(buckets: readonly Bucket[], { from, to, intervalS, width, height }: Plot): Bar[] {
  const start = Date.parse(from);
  const whole = Date.parse(to) - start;
  const length = bucketLength(buckets, { from, to, intervalS });
  const most = Math.max(1, ...buckets.map(sumParts));
  const place = (time: number) => Math.round(((time - start) / whole) * width);
  return buckets.map((bucket) => {
    const at = Date.parse(bucket.at);
    const x = Math.max(0, place(at));
    const room = Math.min(width, place(at + length)) - x;
    let y = height;
    const parts = bucket.parts
      .filter(({ value }) => value > 0)
      .map(({ key, value, fill }) => {
        const size = Math.max(1, (value / most) * (height - 1));
        y -= size;
        return { key, fill, y, height: size };
      });
    return { x, width: Math.max(1, room - (room > 6 ? MAX_GAP : room > 2 ? 1 : 0)), parts };
  });
}

/** The time from the start of one bucket to the end of another, in either order, clamped to the span. */
export function spanBuckets(buckets: readonly Bucket[], a: number, b: number, span: TimeSpan): TimeSpan | undefined {
  const first = buckets[Math.min(a, b)];
  const last = buckets[Math.max(a, b)];
  if (!first || !last) return undefined;
  const end = Date.parse(last.at) + bucketLength(buckets, span);
  const start = Math.max(Date.parse(first.at), Date.parse(span.from));
  return { from: new Date(start).toISOString(), to: new Date(Math.min(end, Date.parse(span.to))).toISOString() };
}

/** The bar at a position of the plot, or the nearest one. */
export function findBar(bars: readonly Bar[], x: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, bar] of bars.entries()) {
    const distance = Math.max(0, bar.x - x, x - bar.x - bar.width);
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

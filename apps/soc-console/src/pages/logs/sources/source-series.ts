import type { SourceHistogram } from "./sources-client.ts";

/** The histogram returns at most ten values: more sources need more requests. */
const MAX_NAMED = 10;

export function chunkSources(names: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(names.length / MAX_NAMED) }, (_, at) =>
    names.slice(at * MAX_NAMED, (at + 1) * MAX_NAMED),
  );
}

/** The stored logs of one source in equal steps. The response omits empty steps; here they are zero. */
export function readSeries({ from, to, interval_s, buckets }: SourceHistogram, source: string): number[] {
  const stepMs = interval_s * 1000;
  const start = Math.floor(Date.parse(from) / stepMs) * stepMs;
  const steps = Math.max(1, Math.ceil((Date.parse(to) - start) / stepMs));
  const series = new Array<number>(steps).fill(0);
  for (const { at, by } of buckets) {
    const step = Math.floor((Date.parse(at) - start) / stepMs);
    if (step >= 0 && step < steps) series[step] = by[source] ?? 0;
  }
  return series;
}

import { expect, it } from "vitest";
import { chunkSources, readSeries } from "./source-series.ts";

const HOUR = 3600;

const histogram = {
  from: "2026-11-17T01:30:00.000Z",
  to: "2026-11-17T06:30:00.000Z",
  interval_s: HOUR,
  by: "source" as const,
  total: 9,
  is_estimate: false,
  is_partial: false,
  covered_from: null,
  buckets: [
    { at: "2026-11-17T01:00:00.000Z", total: 2, by: { edr: 2 } },
    { at: "2026-11-17T04:00:00.000Z", total: 7, by: { edr: 3, dlp: 4 } },
  ],
};

it("fills missing steps with zero", () => {
  expect(readSeries(histogram, "edr")).toEqual([2, 0, 0, 3, 0, 0]);
  expect(readSeries(histogram, "dlp")).toEqual([0, 0, 0, 4, 0, 0]);
  expect(readSeries(histogram, "unknown")).toEqual([0, 0, 0, 0, 0, 0]);
});

it("requests ten sources at a time", () => {
  const names = Array.from({ length: 23 }, (_, at) => `s${at}`);
  expect(chunkSources(names).map((chunk) => chunk.length)).toEqual([10, 10, 3]);
  expect(chunkSources([])).toEqual([]);
});

import { describe, expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import type { PartitionState } from "../../logs/partitions/partition-rules.ts";
import { RUN_LIMITS } from "../matches/finding.ts";
import { createSegmentCollector } from "./segment-collector.ts";

const START = Date.parse("2026-11-18T10:00:00Z");
const log = (id: string, atMs: number) => sampleLog({ id, ingested_at: new Date(atMs).toISOString() });

function renewed(watermarkMs: number, epoch = 1): ReadonlyMap<number, PartitionState> {
  const owned = { owner: "w", leaseUntilMs: watermarkMs + 5000, handled: "", groups: 0, claim: undefined };
  return new Map([[3, { ...owned, epoch, watermarkMs }]]);
}

describe("the segments of an owner", () => {
  it("completes segments from the first one that began after the owner did, below the watermark", () => {
    const segments = createSegmentCollector();
    expect(segments.takeEnded(renewed(START - 2000), true)).toEqual([]);
    segments.begin(3, START - 1000, "7");
    segments.add(3, "early", log("a", START - 1000));
    segments.begin(3, START + 1000, "8");
    segments.begin(3, START + 2000, "9");
    segments.add(3, "rule", log("b", START + 2000));
    expect(segments.takeEnded(renewed(START + 4999), true)).toEqual([]);
    const [first, second] = segments.takeEnded(renewed(START + 10_000), true);
    expect(first).toMatchObject({ partition: 3, startMs: START, generation: "8", dropped: [] });
    expect([...(first?.hits.keys() ?? [])]).toEqual(["rule"]);
    expect(second).toMatchObject({ startMs: START + 5000, generation: undefined });
  });

  it("restarts the segments with the next epoch of ownership", () => {
    const segments = createSegmentCollector();
    segments.takeEnded(renewed(START), true);
    segments.begin(3, START + 1000, "8");
    segments.add(3, "rule", log("b", START + 1000));
    const next = segments.takeEnded(renewed(START + 12_000, 2), true);
    expect(next).toEqual([]);
    expect(segments.takeEnded(renewed(START + 20_000, 2), true).map(({ startMs }) => startMs)).toEqual([
      START + 15_000,
    ]);
  });

  it("counts a log that is evaluated again once, and drops a rule with too many hits", () => {
    const segments = createSegmentCollector();
    segments.takeEnded(renewed(START), true);
    segments.begin(3, START + 1, "8");
    segments.add(3, "twice", log("a", START + 1));
    segments.add(3, "twice", log("a", START + 1));
    for (let hit = 0; hit <= RUN_LIMITS.matches; hit += 1) segments.add(3, "loud", log(`l${hit}`, START + 1));
    const [first] = segments.takeEnded(renewed(START + 5000), true);
    expect(first?.hits.get("twice")).toHaveLength(1);
    expect([first?.dropped, first?.hits.has("loud")]).toEqual([["loud"], false]);
  });

  it("excludes groups that were evaluated without scheduled rules", () => {
    const segments = createSegmentCollector();
    segments.takeEnded(renewed(START), true);
    segments.begin(3, START + 1, undefined);
    expect(segments.takeEnded(renewed(START + 5000), true)).toEqual([]);
  });
});

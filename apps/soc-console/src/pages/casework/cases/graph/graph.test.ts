import { describe, expect, it } from "vitest";
import { type Graph, MAX_NODES, mergeGraphs } from "./graph.ts";

const node = (value: string, alerts = 1): Graph["nodes"][number] => ({
  id: `host:${value}`,
  type: "host",
  value,
  alerts,
});
const edge = (from: string, to: string): Graph["edges"][number] => ({
  from: `host:${from}`,
  to: `host:${to}`,
  kind: "alert",
  count: 1,
  first: "2026-11-17T19:00:00.000Z",
  last: "2026-11-17T19:00:00.000Z",
});

describe("the graph of a case", () => {
  it("contains each entity and each link once", () => {
    const one = { nodes: [node("a"), node("b")], edges: [edge("a", "b")], is_partial: false };
    const two = { nodes: [node("b"), node("c", 9)], edges: [edge("b", "a"), edge("b", "c")], is_partial: false };
    const merged = mergeGraphs([one, two], ["host:b"]);
    expect(merged.nodes.map(({ value }) => value)).toEqual(["b", "c", "a"]);
    expect(merged.edges).toHaveLength(2);
    expect(merged.is_partial).toBe(false);
  });

  it("keeps 300 entities including the seeds, and reports that there are more", () => {
    const nodes = Array.from({ length: 400 }, (_, at) => node(`h${at}`, 400 - at));
    const merged = mergeGraphs([{ nodes, edges: [edge("h0", "h399")], is_partial: false }], ["host:h399"]);
    expect(merged.nodes).toHaveLength(MAX_NODES);
    expect(merged.nodes[0]?.value).toBe("h399");
    expect(merged.edges).toHaveLength(1);
    expect(merged.is_partial).toBe(true);
    expect(mergeGraphs([{ nodes, edges: [edge("h0", "h398")], is_partial: false }], []).edges).toEqual([]);
  });
});

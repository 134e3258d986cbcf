import type { GraphBody } from "@soc/service/contract/alerts/entities/entities";
import type { Wire } from "../../../../app/server/server.ts";

export type Graph = Wire<GraphBody>;
export type GraphNode = Graph["nodes"][number];

export const MAX_NODES = 300;
/** Maximum number of seeds. Each is one request of a batch. */
export const MAX_SEEDS = 6;

/** Merges several graphs: seeds first, then the entities with the most alerts. */
export function mergeGraphs(graphs: readonly Graph[], seeds: readonly string[]): Graph {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, Graph["edges"][number]>();
  for (const graph of graphs) {
    for (const node of graph.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
    for (const edge of graph.edges) edges.set([...[edge.from, edge.to].toSorted(), edge.kind].join(" "), edge);
  }
  const isSeed = (node: GraphNode) => (seeds.includes(node.id) ? 1 : 0);
  const kept = [...nodes.values()].toSorted((a, b) => isSeed(b) - isSeed(a) || b.alerts - a.alerts).slice(0, MAX_NODES);
  const ids = new Set(kept.map(({ id }) => id));
  return {
    nodes: kept,
    edges: [...edges.values()].filter(({ from, to }) => ids.has(from) && ids.has(to)),
    is_partial: nodes.size > kept.length || graphs.some(({ is_partial }) => is_partial),
  };
}

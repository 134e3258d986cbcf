import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from "d3-force";
import type { Graph } from "./graph.ts";

export interface NodePosition {
  id: string;
  x: number;
  y: number;
}

interface MovingNode extends SimulationNodeDatum {
  id: string;
}

const TICKS = 240;

/** Places the nodes synchronously. The same graph has the same layout, and nothing moves afterwards. */
export function layOut({ nodes, edges }: Graph): Map<string, NodePosition> {
  const moving: MovingNode[] = nodes.map(({ id }) => ({ id }));
  const links = edges.map(({ from, to }) => ({ source: from, target: to }));
  const simulation = forceSimulation(moving)
    .force(
      "link",
      forceLink<MovingNode, { source: string; target: string }>(links)
        .id(({ id }) => id)
        .distance(110),
    )
    .force("charge", forceManyBody().strength(-520))
    .force("x", forceX(0).strength(0.06))
    .force("y", forceY(0).strength(0.09))
    .force("collide", forceCollide(36))
    .stop();
  simulation.tick(TICKS);
  return new Map(moving.map(({ id, x = 0, y = 0 }) => [id, { id, x, y }]));
}

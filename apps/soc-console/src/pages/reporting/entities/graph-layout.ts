export interface Place {
  x: number;
  y: number;
  isCentre: boolean;
}

interface Edge {
  from: string;
  to: string;
}

const MARGIN = 40;

/** The node with the most edges in the middle, the others around it in the order of the service. */
export function layCircle(
  nodes: readonly { id: string }[],
  edges: readonly Edge[],
  { width, height }: { width: number; height: number },
): Map<string, Place> {
  const degrees = new Map<string, number>();
  for (const id of edges.flatMap(({ from, to }) => [from, to])) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  const [centre, ...others] = nodes.toSorted((a, b) => (degrees.get(b.id) ?? 0) - (degrees.get(a.id) ?? 0));
  const places = new Map<string, Place>();
  if (centre) places.set(centre.id, { x: width / 2, y: height / 2, isCentre: true });
  for (const [at, { id }] of others.entries()) {
    const angle = (at / others.length) * 2 * Math.PI;
    places.set(id, {
      x: Math.round(width / 2 + (width / 2 - 2 * MARGIN) * Math.cos(angle)),
      y: Math.round(height / 2 + (height / 2 - MARGIN) * Math.sin(angle)),
      isCentre: false,
    });
  }
  return places;
}

import type { ProcessTree } from "../search-client.ts";

type ProcessNode = ProcessTree["nodes"][number];

export interface ProcessLine {
  node: ProcessNode;
  /** 0 for a process whose parent is unknown. */
  depth: number;
}

/** Children below their parents, in order of their start. A process that is its own ancestor becomes a root. */
export function layTree(nodes: readonly ProcessNode[]): ProcessLine[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const children = new Map<string | undefined, ProcessNode[]>();
  for (const node of nodes) {
    const { id, parent_id } = node;
    const parent = parent_id !== null && parent_id !== id && ids.has(parent_id) ? parent_id : undefined;
    children.set(parent, [...(children.get(parent) ?? []), node]);
  }
  const lines: ProcessLine[] = [];
  const seen = new Set<string>();
  const lay = (node: ProcessNode, depth: number): void => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    lines.push({ node, depth });
    for (const child of inOrder(children.get(node.id) ?? [])) lay(child, depth + 1);
  };
  for (const node of inOrder(children.get(undefined) ?? [])) lay(node, 0);
  // The remaining processes are in cycles.
  for (const node of inOrder(nodes)) lay(node, 0);
  return lines;
}

function inOrder(nodes: readonly ProcessNode[]): ProcessNode[] {
  return nodes.toSorted((a, b) => (a.started_at ?? "").localeCompare(b.started_at ?? ""));
}

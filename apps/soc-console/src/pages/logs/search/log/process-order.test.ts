import { expect, it } from "vitest";
import { layTree } from "./process-order.ts";

function makeNode(id: string, parent_id: string | null, started_at: string | null = null) {
  return { id, parent_id, started_at, name: id, command_line: null, user: null, log_id: null, alerts: [] };
}

const lay = (...nodes: ReturnType<typeof makeNode>[]) => layTree(nodes).map(({ node, depth }) => `${depth}${node.id}`);

it("places children below their parents, in order of their start", () => {
  expect(lay(makeNode("c", "a", "2"), makeNode("b", "a", "1"), makeNode("a", "unknown"), makeNode("d", "b"))).toEqual([
    "0a",
    "1b",
    "2d",
    "1c",
  ]);
});

it("shows every process once, even in a cycle", () => {
  expect(lay(makeNode("a", "b"), makeNode("b", "a"), makeNode("c", "c"))).toEqual(["0c", "0a", "1b"]);
});

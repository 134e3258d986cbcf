import { expect, it } from "vitest";
import { layCircle } from "./graph-layout.ts";

const size = { width: 400, height: 200 };

it("places the node with the most edges in the middle and the others around it, inside the picture", () => {
  const nodes = ["a", "b", "c", "d"].map((id) => ({ id }));
  const edges = [
    { from: "b", to: "a" },
    { from: "b", to: "c" },
    { from: "d", to: "b" },
  ];
  const places = layCircle(nodes, edges, size);
  expect(places.get("b")).toEqual({ x: 200, y: 100, isCentre: true });
  expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
  for (const { x, y } of places.values()) {
    expect(x >= 0 && x <= 400 && y >= 0 && y <= 200).toBe(true);
  }
});

it("returns no layout for a graph without nodes", () => {
  expect(layCircle([], [], size).size).toBe(0);
});

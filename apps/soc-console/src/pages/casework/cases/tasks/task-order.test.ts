import { describe, expect, it } from "vitest";
import { lastPosition, moveTask } from "./task-order.ts";

const tasks = (...positions: (number | null)[]) =>
  positions.map((position, at) => ({ id: String.fromCharCode(97 + at), position }));

describe("the order of tasks", () => {
  it("changes one task while there is a gap", () => {
    expect(moveTask(tasks(0, 10, 20), 2, 1)).toEqual([{ id: "c", position: 5 }]);
    expect(moveTask(tasks(0, 10, 20), 0, 2)).toEqual([{ id: "a", position: 30 }]);
    expect(moveTask(tasks(8, 10), 1, 0)).toEqual([{ id: "b", position: 3 }]);
  });

  it("renumbers all tasks if there is no gap, or no position", () => {
    expect(moveTask(tasks(0, 1, 2), 2, 1)).toEqual([
      { id: "c", position: 10 },
      { id: "b", position: 20 },
    ]);
    expect(moveTask(tasks(null, null), 0, 1)).toEqual([
      { id: "b", position: 0 },
      { id: "a", position: 10 },
    ]);
  });

  it("stops at the ends", () => {
    expect(moveTask(tasks(0, 10), 0, -1)).toEqual([]);
    expect(moveTask(tasks(0, 10), 1, 2)).toEqual([]);
    expect(moveTask([], 0, 1)).toEqual([]);
  });

  it("appends after the last task", () => {
    expect([lastPosition([]), lastPosition(tasks(0, 40)), lastPosition(tasks(null))]).toEqual([0, 50, 10]);
  });
});

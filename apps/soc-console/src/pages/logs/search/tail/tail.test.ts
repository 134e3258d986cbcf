import { expect, test } from "vitest";
import type { Log } from "../search-client.ts";
import { addDropped, addLogs, MAX_TAIL_ROWS, NEW_TAIL, pauseTail, resumeTail, stopTail } from "./tail.ts";

const makeLogs = (...ids: (string | number)[]) => ids.map((id) => ({ id: String(id) }) as Log);
const readIds = (logs: readonly Log[]) => logs.map(({ id }) => id);

test("shows the newest logs first and keeps a bounded number of rows", () => {
  const tail = addLogs(addLogs(NEW_TAIL, makeLogs(1, 2)), makeLogs(3));
  expect(readIds(tail.rows)).toEqual(["3", "2", "1"]);
  const many = addLogs(tail, makeLogs(...Array.from({ length: MAX_TAIL_ROWS }, (_, at) => `n${at}`)));
  expect(many.rows).toHaveLength(MAX_TAIL_ROWS);
  expect(many.rows[0]?.id).toBe(`n${MAX_TAIL_ROWS - 1}`);
});

test("moves no row while paused, and shows waiting logs when resumed", () => {
  const paused = addLogs(pauseTail(addLogs(NEW_TAIL, makeLogs(1))), makeLogs(2, 3));
  expect([paused.phase, readIds(paused.rows), readIds(paused.waiting)]).toEqual(["paused", ["1"], ["3", "2"]]);
  const live = resumeTail(paused);
  expect([live.phase, readIds(live.rows), live.waiting]).toEqual(["live", ["3", "2", "1"], []]);
});

test("counts logs that do not fit while paused as dropped, together with those the service dropped", () => {
  const many = makeLogs(...Array.from({ length: MAX_TAIL_ROWS + 5 }, (_, at) => at));
  const tail = addDropped(addLogs(pauseTail(NEW_TAIL), many), 7, true);
  expect([tail.waiting.length, tail.dropped, tail.isEstimate]).toEqual([MAX_TAIL_ROWS, 12, true]);
});

test("accepts no logs when stopped, and cannot be paused then", () => {
  const stopped = stopTail(addLogs(pauseTail(NEW_TAIL), makeLogs(1)));
  expect([stopped.phase, readIds(stopped.rows)]).toEqual(["stopped", ["1"]]);
  expect(readIds(addLogs(stopped, makeLogs(2)).rows)).toEqual(["1"]);
  expect(pauseTail(stopped).phase).toBe("stopped");
});

import { expect, test } from "vitest";
import { isPending, readAdapter, readIsolation } from "./isolation.ts";

const action = {
  action: "isolate",
  status: "completed",
  simulated: false,
  requested_at: "2026-11-17T19:00:00.000Z",
  settled_at: "2026-11-17T19:00:05.000Z",
  ended_at: null,
  release_at: "2026-11-17T23:00:00.000Z",
} as const;

test("dates the desired state by its action and the reported state by the last report", () => {
  const endpoint = {
    isolation: { desired: "isolated", reported: "isolated" },
    last_seen: "2026-11-17T18:59:00.000Z",
  } as const;
  expect(readIsolation(endpoint, [action])).toEqual({
    wanted: { state: "isolated", at: "2026-11-17T19:00:00.000Z" },
    reported: { state: "isolated", at: "2026-11-17T19:00:05.000Z" },
    isPending: false,
    release: "2026-11-17T23:00:00.000Z",
  });
});

test("ignores scans, previews, blocked actions and opposite actions when dating the desired state", () => {
  const endpoint = {
    isolation: { desired: "isolated", reported: "normal" },
    last_seen: "2026-11-17T20:00:00.000Z",
  } as const;
  const others = [
    { ...action, action: "scan" as const },
    { ...action, simulated: true },
    { ...action, status: "blocked" as const },
    { ...action, action: "unisolate" as const, status: "dispatched" as const, settled_at: null },
  ];
  expect(readIsolation(endpoint, others)).toEqual({
    wanted: { state: "isolated", at: undefined },
    reported: { state: "normal", at: "2026-11-17T20:00:00.000Z" },
    isPending: true,
    release: undefined,
  });
});

test.each([
  ["isolated", "unknown", true],
  ["isolated", "normal", true],
  ["normal", "isolated", true],
  ["normal", "unknown", false],
  ["normal", "normal", false],
  ["isolated", "isolated", false],
] as const)("desired %s, reported %s: pending is %s", (desired, reported, expected) => {
  expect(isPending({ isolation: { desired, reported } })).toBe(expected);
});

test("counts actions that wait for the adapter, from the oldest", () => {
  const waiting = { status: "dispatched", simulated: false } as const;
  const actions = [
    { ...waiting, requested_at: "2026-11-17T19:30:00.000Z" },
    { ...waiting, requested_at: "2026-11-17T19:20:00.000Z" },
    { ...waiting, requested_at: "2026-11-17T19:00:00.000Z", simulated: true },
    { ...waiting, requested_at: "2026-11-17T18:00:00.000Z", status: "completed" as const },
  ];
  expect(readAdapter({ state: "open" }, actions)).toEqual({
    kind: "open",
    waiting: 2,
    since: "2026-11-17T19:20:00.000Z",
  });
});

import { expect, it } from "vitest";
import type { Health } from "./health-client.ts";
import { listHealthParts } from "./health-parts.ts";

const UP = { state: "up", restarts_24h: 0, last_reason: null } as const;

const good: Health = {
  status: "ok",
  database: { state: "up" },
  log_engine: UP,
  worker: UP,
  stream_lag_s: 0.2,
  event_delay_s: 0,
  clock: { offset_ms: 3 },
  ledger: { alarm: null },
  audit: { alarm: null, lag_s: 2, failing_receivers: [] },
  devices: { alarm: null },
  disks: { full: [] },
};
const states = (health: Health) => Object.fromEntries(listHealthParts(health).map(({ name, state }) => [name, state]));

it("reports the state of each part", () => {
  expect(states(good)).toEqual({
    database: "up",
    logStore: "up",
    worker: "up",
    stream: "up",
    events: "up",
    clock: "up",
    disks: "up",
    ledger: "up",
    audit: "up",
    devices: "up",
  });
});

// docs/operations/README.md: degraded while a part is down, the lag exceeds a minute, the ledger has an alarm, or the
// revocation list is stale.
it("reports why the platform is degraded", () => {
  expect(states({ ...good, database: { state: "down" } }).database).toBe("down");
  expect(states({ ...good, stream_lag_s: 60 }).stream).toBe("up");
  expect(states({ ...good, stream_lag_s: 60.1 }).stream).toBe("behind");
  expect(states({ ...good, event_delay_s: 60 }).events).toBe("up");
  expect(states({ ...good, event_delay_s: 60.1 }).events).toBe("behind");
  expect(states({ ...good, clock: { offset_ms: -500 } }).clock).toBe("up");
  expect(states({ ...good, clock: { offset_ms: -501 } }).clock).toBe("wrong");
  expect(states({ ...good, log_engine: { ...UP, missing_stores: ["log store 2 of 3"] } }).logStore).toBe("partial");
  expect(states({ ...good, ledger: { alarm: "entry 4 was changed" } }).ledger).toBe("alarm");
  const audit = { alarm: null, lag_s: 300, failing_receivers: [] };
  expect(states({ ...good, audit }).audit).toBe("up");
  expect(states({ ...good, audit: { ...audit, lag_s: 301 } }).audit).toBe("behind");
  expect(states({ ...good, audit: { ...audit, lag_s: null } }).audit).toBe("unknown");
  expect(states({ ...good, audit: { ...audit, alarm: "audit entry 4 was changed" } }).audit).toBe("alarm");
  expect(states({ ...good, disks: { full: ["data"] } }).disks).toBe("alarm");
  expect(states({ ...good, devices: { alarm: "the revocation list is old" } }).devices).toBe("alarm");
});

it("does not report a process that restarts continuously as healthy", () => {
  const worker = { state: "up", restarts_24h: 7, last_reason: "out of memory" } as const;
  expect(listHealthParts({ ...good, worker }).find(({ name }) => name === "worker")).toMatchObject({
    state: "restarted",
    tone: "waiting",
    restarts: { count: 7, reason: "out of memory" },
  });
});

it("distinguishes an unconfigured part from a lost one", () => {
  const off = { ...UP, state: "off" } as const;
  expect(states({ ...good, worker: off, stream_lag_s: null }).stream).toBe("off");
  expect(states({ ...good, stream_lag_s: null }).stream).toBe("unknown");
  expect(states({ ...good, database: { state: "off" }, event_delay_s: null }).events).toBe("off");
  expect(states({ ...good, event_delay_s: null }).events).toBe("unknown");
  expect(states({ ...good, database: { state: "off" }, clock: { offset_ms: null } }).clock).toBe("off");
  expect(states({ ...good, clock: { offset_ms: null } }).clock).toBe("unknown");
});

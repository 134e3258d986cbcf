import { describe, expect, it } from "vitest";
import { halfOpenAt, stateOf } from "./circuit.ts";
import {
  buildEdrAction,
  buildEffect,
  buildSending,
  checkEdrCommand,
  type EdrCommand,
  type Result,
  settleAttempt,
} from "./edr-action.ts";
import { applyHeartbeat, toEndpointBody } from "./endpoint.ts";

const NOW = new Date("2026-06-01T12:00:00Z");
const ID = "019a1111-0000-7000-8000-000000000001";
const HOUR = 3_600_000;
const command: EdrCommand = {
  action: "isolate",
  key: "k",
  requested_by: "amina",
  reason: null,
  case_id: null,
  release_after_minutes: null,
};
const endpoint = applyHeartbeat(ID, undefined, { hostname: "WS-1" }, NOW);
const row = buildEdrAction(command, ID, ID, { beginning: "dispatched", keptRelease: null }, NOW);
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe("attempts to reach the EDR adapter", () => {
  const again = (result: Result, attempts: number, now = NOW) => settleAttempt({ ...row, attempts }, result, now);

  it.each([
    [{ outcome: "completed" }, "completed", null],
    [{ outcome: "recorded" }, "recorded", null],
    [{ outcome: "refused", error: "no" }, "blocked", "no"],
  ] as const)("settles the action for the result %j as %s", (result, status, error) => {
    expect(again(result, 0)).toEqual({ status, error, attempts: 1, next_attempt_at: null, settled_at: NOW });
  });

  it("doubles the wait after each failure up to ten minutes and blocks the action after the twelfth", () => {
    const failed = { outcome: "failed", error: "gone" } as const;
    const waits = Array.from({ length: 11 }, (_, attempts) => again(failed, attempts).next_attempt_at);
    const seconds = waits.map((at) => ((at?.getTime() ?? 0) - NOW.getTime()) / 1000);
    expect(seconds).toEqual([15, 30, 60, 120, 240, 480, 600, 600, 600, 600, 600]);
    expect(again(failed, 11)).toMatchObject({ status: "blocked", error: "gone", attempts: 12 });
  });

  it("does not count attempts while the circuit is open or the adapter accepts, but blocks the action after a day", () => {
    expect(again({ outcome: "circuit_open", until: later(9000) }, 3)).toMatchObject({
      attempts: 3,
      next_attempt_at: later(9000),
    });
    expect(again({ outcome: "accepted" }, 3)).toMatchObject({ status: "dispatched", attempts: 3, error: null });
    expect(again({ outcome: "accepted" }, 3, later(24 * HOUR + 1))).toMatchObject({ status: "blocked" });
    expect(again({ outcome: "circuit_open", until: NOW }, 3, later(24 * HOUR + 1))).toMatchObject({
      status: "blocked",
    });
  });
});

describe("commands to the EDR adapter", () => {
  it("are identical at every attempt, even after the endpoint's address changes", () => {
    const retried = { ...row, attempts: 5, next_attempt_at: later(HOUR) };
    const moved = applyHeartbeat(ID, endpoint, { ip: "192.0.2.9" }, later(HOUR));
    expect(buildSending("https://edr.example/", retried, moved)).toEqual(
      buildSending("https://edr.example", row, endpoint),
    );
    expect(buildSending("https://edr.example/", row, endpoint).url).toBe("https://edr.example/actions");
  });

  it("are described in advance, and so is a missing adapter", () => {
    expect(buildEffect("https://edr.example", { ...command, release_after_minutes: 5 }, endpoint)).toMatchObject({
      summary: "Isolates WS-1 from the network for 5 minutes",
      sends: [{ method: "POST", body: { action: "isolate", endpoint: { id: ID, hostname: "WS-1" } } }],
    });
    expect(buildEffect(undefined, command, endpoint)).toEqual({
      summary: "Isolates WS-1 from the network; no adapter is configured, so the action is only recorded",
      sends: [],
      target: { kind: "endpoint", id: ID, name: "WS-1", site: endpoint.site, address: endpoint.ip },
    });
  });

  it("contain a release time only for an isolation", () => {
    expect(() => checkEdrCommand({ ...command, action: "scan", release_after_minutes: 5 })).toThrow(
      /^release_after_minutes: /,
    );
    const recorded = { beginning: "recorded", keptRelease: null } as const;
    expect(buildEdrAction({ ...command, release_after_minutes: 5 }, ID, ID, recorded, NOW).release_at).toEqual(
      later(300_000),
    );
  });
});

it("keeps the desired state when an endpoint reports another state", () => {
  const reported = applyHeartbeat(ID, endpoint, { isolation: "isolated" }, NOW);
  expect(toEndpointBody(reported, NOW).isolation).toEqual({ desired: "normal", reported: "isolated" });
});

it("keeps the circuit open for thirty seconds", () => {
  const circuit = { failures: 5, opened_at: NOW, probe_until: null };
  expect(stateOf({ ...circuit, opened_at: null }, NOW)).toBe("closed");
  expect(stateOf(circuit, later(29_999))).toBe("open");
  expect(stateOf(circuit, halfOpenAt(NOW))).toBe("half_open");
  expect(halfOpenAt(NOW)).toEqual(later(30_000));
});

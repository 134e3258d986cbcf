import { describe, expect, it } from "vitest";
import { followStatus, judgeSla, NO_SLA, setDeadlines } from "./sla.ts";

const OPENED = new Date("2026-01-05T08:00:00Z");
const at = (minutes: number) => new Date(OPENED.getTime() + minutes * 60_000);
// Respond within 100 minutes and resolve within 1,000.
const TIMES = setDeadlines(NO_SLA, { respond_minutes: 100, resolve_minutes: 1000 }, OPENED);

describe("SLA state of a case", () => {
  it.each([
    ["ok", 74, {}],
    ["near", 75, {}],
    ["near", 100, {}],
    ["breached", 101, {}],
    ["ok", 101, { responded_at: at(100) }],
    ["near", 750, { responded_at: at(100) }],
    ["breached", 1001, { responded_at: at(100) }],
    ["met", 5000, { responded_at: at(100), resolved_at: at(1000) }],
    ["breached", 200, { responded_at: at(101), resolved_at: at(150) }],
    ["breached", 5000, { responded_at: at(1), resolved_at: at(1001) }],
    // The clock was set back.
    ["ok", -500, {}],
  ])("is %s after %i minutes with %j", (state, minutes, done) => {
    expect(judgeSla({ ...TIMES, ...done }, OPENED, at(minutes)).state).toBe(state);
  });

  it("uses a single target alone and is null without targets", () => {
    const only = setDeadlines(NO_SLA, { respond_minutes: null, resolve_minutes: 100 }, OPENED);
    expect(judgeSla(only, OPENED, at(101)).state).toBe("breached");
    expect(judgeSla(NO_SLA, OPENED, at(101))).toEqual({ ...NO_SLA, state: null });
  });
});

describe("SLA times of a case", () => {
  it("sets responded_at when the case first leaves open and resolved_at when it is resolved", () => {
    const taken = followStatus(TIMES, "investigating", at(5));
    expect(taken).toMatchObject({ responded_at: at(5), resolved_at: null });
    const resolved = followStatus(taken, "resolved", at(9));
    expect(followStatus(resolved, "closed", at(20))).toMatchObject({ responded_at: at(5), resolved_at: at(9) });
    expect(followStatus(resolved, "open", at(30))).toMatchObject({ responded_at: at(5), resolved_at: null });
  });

  it("sets both times for a case that is closed at once", () => {
    expect(followStatus(TIMES, "closed", at(5))).toMatchObject({ responded_at: at(5), resolved_at: at(5) });
  });
});

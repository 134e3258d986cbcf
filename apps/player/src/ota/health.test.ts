import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it } from "vitest";
import { type HealthCheck, proveHealth } from "./health.ts";

const never = new AbortController().signal;
const sound: HealthCheck = { name: "settings", check: async () => undefined };

function failing(name: string, why: string): HealthCheck {
  return {
    name,
    check: async () => {
      throw new Error(why);
    },
  };
}

describe("proveHealth", () => {
  it("passes immediately when all checks pass", async () => {
    expect(await proveHealth([sound, sound], createFakeClock(), never)).toBe(undefined);
  });

  it("allows 120 s, and then names the failing check and its reason", async () => {
    const clock = createFakeClock();
    let verdict: string | undefined = "still trying";
    const proving = proveHealth([sound, failing("audio", "no such device")], clock, never).then((failure) => {
      verdict = failure;
    });
    await clock.advance(119_000);
    expect(verdict).toBe("still trying");
    await clock.advance(4000);
    await proving;
    expect(verdict).toBe("audio: no such device");
  });

  it("accepts a system that needs some time", async () => {
    const clock = createFakeClock();
    const slow: HealthCheck = {
      name: "audio",
      check: async () => {
        if (clock.monotonicMs() < 60_000) throw new Error("not yet");
      },
    };
    const proving = proveHealth([slow], clock, never);
    await clock.advance(0);
    await clock.advance(61_000);
    expect(await proving).toBe(undefined);
  });

  it("does not wait for a check that never completes", async () => {
    const clock = createFakeClock();
    const stuck: HealthCheck = { name: "http", check: () => new Promise(() => undefined) };
    const proving = proveHealth([stuck], clock, never);
    await clock.advance(120_000);
    expect(await proving).toBe("http: did not answer in time");
  });

  it("stops when the service stops", async () => {
    const clock = createFakeClock();
    const closed = new AbortController();
    const proving = proveHealth([failing("audio", "no such device")], clock, closed.signal);
    await clock.advance(1000);
    closed.abort(new Error("closed"));
    await expect(proving).rejects.toThrow("closed");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryReader, type MemoryWorld } from "../../../testing/situations/memory-reader.ts";
import { onOtherHost, SAMPLE_ALERTS, SAMPLE_LOGS, SAMPLE_WORLD } from "../../../testing/situations/sample-intrusion.ts";
import type { InvestigatedAlert } from "./event-reader.ts";
import { gather } from "./gather.ts";
import { measureSignals, SIGNALS, type SignalValues } from "./signals.ts";
import { judge } from "./verdict.ts";
import { WEIGHTS } from "./weights.ts";

const ALERTS = Object.values(SAMPLE_ALERTS);

async function probabilityOf(world: MemoryWorld, alert: InvestigatedAlert): Promise<number> {
  return judge(measureSignals(await gather(createMemoryReader(world), alert)), 1).probability;
}

const anyAlert = fc.constantFrom(...ALERTS);

describe("the verdict", () => {
  it("does not change with events of other hosts, even with the same process numbers", async () => {
    const others = fc.subarray(onOtherHost(SAMPLE_LOGS));
    await fc.assert(
      fc.asyncProperty(anyAlert, others, async (alert, added) => {
        const world = { ...SAMPLE_WORLD, logs: [...added, ...SAMPLE_LOGS] };
        expect(await probabilityOf(world, alert)).toBe(await probabilityOf(SAMPLE_WORLD, alert));
      }),
    );
  });

  it("does not change with the order of events and alerts", async () => {
    const shuffled = <Item>(items: readonly Item[]) => fc.shuffledSubarray([...items], { minLength: items.length });
    await fc.assert(
      fc.asyncProperty(anyAlert, shuffled(SAMPLE_LOGS), shuffled(ALERTS), async (alert, logs, alerts) => {
        const world = { ...SAMPLE_WORLD, logs, alerts };
        expect(await probabilityOf(world, alert)).toBe(await probabilityOf(SAMPLE_WORLD, alert));
      }),
    );
  });

  it("does not change with the ids of events", async () => {
    await fc.assert(
      fc.asyncProperty(anyAlert, fc.infiniteStream(fc.uuid()), async (alert, ids) => {
        const renamed = new Map(SAMPLE_LOGS.map(({ id }) => [id, ids.next().value ?? id]));
        const rename = (of: InvestigatedAlert) => ({ ...of, log_ids: of.log_ids.map((id) => renamed.get(id) ?? id) });
        const logs = SAMPLE_LOGS.map((log) => ({ ...log, id: renamed.get(log.id) ?? log.id }));
        const world = { ...SAMPLE_WORLD, logs, alerts: ALERTS.map(rename) };
        expect(await probabilityOf(world, rename(alert))).toBe(await probabilityOf(SAMPLE_WORLD, alert));
      }),
    );
  });

  it("does not change with the time of the events", async () => {
    const shifts = fc.integer({ min: -5 * 365 * 86_400_000, max: 5 * 365 * 86_400_000 });
    await fc.assert(
      fc.asyncProperty(anyAlert, shifts, async (alert, shiftMs) => {
        const logs = SAMPLE_LOGS.map((log) => ({
          ...log,
          timestamp: new Date(Date.parse(log.timestamp) + shiftMs).toISOString(),
        }));
        expect(await probabilityOf({ ...SAMPLE_WORLD, logs }, alert)).toBe(await probabilityOf(SAMPLE_WORLD, alert));
      }),
    );
  });
});

it("never rises with feedback that the rule was wrong", async () => {
  const counts = fc.record({ true_positives: fc.nat(1000), false_positives: fc.nat(1000) });
  await fc.assert(
    fc.asyncProperty(anyAlert, counts, fc.integer({ min: 1, max: 1000 }), async (alert, given, more) => {
      const before = { ...SAMPLE_WORLD, feedback: new Map([[alert.rule_id ?? "", given]]) };
      const worse = { ...given, false_positives: given.false_positives + more };
      const after = { ...SAMPLE_WORLD, feedback: new Map([[alert.rule_id ?? "", worse]]) };
      expect(await probabilityOf(after, alert)).toBeLessThanOrEqual(await probabilityOf(before, alert));
    }),
  );
});

it("never falls with an indicator hit, and rises with the first one", async () => {
  const values = fc.subarray(["203.0.113.9", "dump.exe", "SQBFAFgA", "winword.exe", "absent.example"]);
  await fc.assert(
    fc.asyncProperty(anyAlert, values, values, async (alert, some, more) => {
      const before = await probabilityOf({ ...SAMPLE_WORLD, iocs: some }, alert);
      const after = await probabilityOf({ ...SAMPLE_WORLD, iocs: [...new Set([...some, ...more])] }, alert);
      expect(after).toBeGreaterThanOrEqual(before);
    }),
  );
  const hit = await probabilityOf({ ...SAMPLE_WORLD, iocs: ["203.0.113.9"] }, SAMPLE_ALERTS.encoded);
  expect(hit).toBeGreaterThan(await probabilityOf(SAMPLE_WORLD, SAMPLE_ALERTS.encoded));
});

it("never falls when the attestation of the device fails", async () => {
  for (const alert of ALERTS) {
    const devices = new Map([["ws5", "untrusted" as const]]);
    const failed = await probabilityOf({ ...SAMPLE_WORLD, devices }, alert);
    expect(failed).toBeGreaterThan(await probabilityOf(SAMPLE_WORLD, alert));
  }
});

describe("the sum of the signals", () => {
  const NOTHING = Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as SignalValues;

  it.each([
    [{ severity: 4, linked_rules: 2 }, "malicious"],
    [{ severity: 0, system_process: 1 }, "benign"],
    [{ severity: 2 }, "inconclusive"],
    [{ severity: 2, ioc_hits: 2 }, "malicious"],
    [{ severity: 2, feedback: -3 }, "benign"],
  ])("makes %j %s", (values, verdict) => {
    expect(judge({ ...NOTHING, ...values }, 1).verdict).toBe(verdict);
  });

  it.each([0, 1, 2, 3, 4])("gives no verdict for severity %i without another signal", (severity) => {
    const { verdict, confidence, has_evidence } = judge({ ...NOTHING, severity }, 3);
    expect({ verdict, confidence, has_evidence }).toEqual({
      verdict: "inconclusive",
      confidence: 0.5,
      has_evidence: false,
    });
  });

  it("gives no verdict that only signals of the other side could support", () => {
    expect(judge({ ...NOTHING, severity: 4, rule_common: 0.2 }, 3).verdict).toBe("inconclusive");
    expect(judge({ ...NOTHING, severity: 0, script_host: 0.1 }, 3).verdict).toBe("inconclusive");
  });

  it("gives no verdict without a fact, whatever the signals are", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 4, noNaN: true }), { minLength: 12, maxLength: 12 }), (given) => {
        const values = Object.fromEntries(SIGNALS.map((signal, at) => [signal, given[at] ?? 0])) as SignalValues;
        const { verdict, confidence } = judge(values, 0);
        expect({ verdict, confidence }).toEqual({ verdict: "inconclusive", confidence: 0.5 });
      }),
    );
  });

  it("has a confidence of at least one half and lists contributions, largest first", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 4, noNaN: true }), { minLength: 12, maxLength: 12 }), (given) => {
        const values = Object.fromEntries(SIGNALS.map((signal, at) => [signal, given[at] ?? 0])) as SignalValues;
        const { confidence, contributions, log_odds } = judge(values, 1);
        expect(confidence).toBeGreaterThanOrEqual(0.5);
        const sizes = contributions.map((each) => Math.abs(each.log_odds));
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
        const sum = contributions.reduce((total, each) => total + each.log_odds, 0);
        expect(log_odds - sum).toBeCloseTo(judge(NOTHING, 1).log_odds, 6);
      }),
    );
  });

  it("has a sentence for each signal and no weight against its meaning", () => {
    const lowering = new Set(["rule_common", "process_common", "system_process"]);
    for (const signal of SIGNALS) {
      expect(WEIGHTS[signal].words).not.toBe("");
      expect(WEIGHTS[signal].weight * (lowering.has(signal) ? -1 : 1)).toBeGreaterThanOrEqual(0);
    }
  });
});

import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lacksPublicData, publicPath, readPublic, readTarFiles } from "../../../testing/fixtures/public-data.ts";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { startLogStore } from "../../../testing/servers/log-engine.ts";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { SAMPLE_ALERTS, SAMPLE_LOGS } from "../../../testing/situations/sample-intrusion.ts";
import { listLabelledRules, readSituations } from "../../../testing/situations/situations.ts";
import { readSigma } from "../../detection/sigma/sigma.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { EventReader } from "./event-reader.ts";
import { gather } from "./gather.ts";
import { investigate } from "./investigate.ts";
import { createLogEventReader, toInvestigatedAlert } from "./log-event-reader.ts";
import { createLogSearches } from "./log-searches.ts";
import { measureSignals } from "./signals.ts";

const isFull = process.env.PROVE === "full";
const CALLER = { kind: "user", username: "amina", role: "admin" } as const;
const MISSING_ID = "01980000-0000-7000-8000-000000000000";
const EVERY_SITUATION = 16;

let platform: TestPlatform;
let logStore: Awaited<ReturnType<typeof startLogStore>>;
let detections: Awaited<ReturnType<typeof detectionsPlatform>>;
let reader: EventReader;

beforeAll(async () => {
  platform = await testPlatform("real");
  logStore = await startLogStore();
  detections = await detectionsPlatform(platform, logStore.store);
  reader = createLogEventReader({
    caller: CALLER,
    logs: createLogSearches(logStore.store, ALL_SITES),
    alerts: detections.alerts,
    feedback: detections.detections.feedback,
    matches: detections.detections.matches,
    iocs: { findIn: async () => ["203.0.113.9"] },
  });
});

afterAll(async () => {
  await detections.app.close();
  await platform.close();
  await logStore.stop();
});

/** Stores logs as if they had just arrived, because old logs expire. */
async function store(logs: readonly LogEvent[], token: string): Promise<void> {
  const ingested_at = platform.clock.now().toISOString();
  await logStore.store.insert(
    logs.map((log) => ({ ...log, ingested_at })),
    { token },
  );
}

async function createRule(name: string): Promise<string> {
  const payload = { name, description: "", query: "event_code:1", alert_severity: "high" };
  const created = await detections.app.inject({ method: "POST", url: "/api/v1/detections/rules", payload });
  expect(created.statusCode, created.body).toBe(201);
  return created.json().id;
}

it("finds the same in the stores of the platform as the in-memory reader", async () => {
  await store(SAMPLE_LOGS, "sample");
  const stored = [];
  for (const alert of Object.values(SAMPLE_ALERTS)) {
    const rule_id = await createRule(alert.title);
    const logs = SAMPLE_LOGS.filter(({ id }) => alert.log_ids.includes(id));
    const report = {
      ...{ title: alert.title, source: "detection", severity: alert.severity, host: "WS5", rule_id },
      ...{ log_ids: [...alert.log_ids], mitre_techniques: [...alert.mitre_techniques] },
      tags: alert.tactics.map((tactic) => `attack.${tactic}`),
      event_first_at: new Date(logs[0]?.timestamp ?? ""),
      event_last_at: new Date(logs[0]?.timestamp ?? ""),
      seen_at: new Date(logs[0]?.timestamp ?? ""),
    };
    const { alert: created } = await platform.db
      .transaction()
      .execute((tx) => detections.alerts.create(tx, CALLER, report));
    stored.push(toInvestigatedAlert(created));
  }
  const memory = createMemoryReader({ logs: SAMPLE_LOGS, alerts: stored, history: [], iocs: ["203.0.113.9"] });
  for (const alert of stored) {
    const signals = measureSignals(await gather(reader, alert));
    expect(signals).toEqual(measureSignals(await gather(memory, alert)));
  }
  const [encoded] = stored;
  if (!encoded) throw new Error("no alert was stored");
  const { verdict, findings } = await investigate(reader, encoded);
  expect(verdict).toBe("malicious");
  expect(findings.filter(({ is_supported }) => !is_supported)).toEqual([]);
  const url = `/api/v1/detections/rules/${encoded.rule_id}/feedback`;
  for (const each of ["false_positive", "false_positive", "true_positive"]) {
    await detections.app.inject({ method: "POST", url, payload: { verdict: each } });
  }
  expect(await reader.ruleFeedback(encoded.rule_id ?? "")).toEqual({ true_positives: 1, false_positives: 2 });
  expect(await reader.ruleFeedback(MISSING_ID)).toEqual({ true_positives: 0, false_positives: 0 });
});

it("counts the days on which a rule matched and a program acted", async () => {
  const rule_id = await createRule("Daily");
  const now = platform.clock.now();
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  for (const days of [1, 1, 2, 15, 40]) {
    await platform.db
      .insertInto("detection_counts")
      .values({ rule_id, hour: daysAgo(days), runs: 1, matches: 2, suppressed: 0, alerts: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  expect(await reader.ruleDayShares([rule_id, MISSING_ID, "no id"], now)).toEqual(new Map([[rule_id, 3 / 30]]));
  const [sample] = SAMPLE_LOGS;
  if (!sample) throw new Error("there is no sample");
  const image = "C:\\Tools\\daily.exe";
  const seen = [1, 2, 7].map((days) => ({
    ...sample,
    id: `day-${days}`,
    process: image,
    timestamp: daysAgo(days - 0.5).toISOString(),
  }));
  await store(seen, "days");
  // The image acted on two of the five sampled days.
  expect(await reader.imageDayShare(image.toUpperCase(), now)).toBeCloseTo(2 / 5);
});

it.skipIf(!isFull || lacksPublicData("sigma-rules.tar.gz", "situations-dev.json", "situations-dev.ndjson.gz"))(
  "follows public simulations in the log store like in memory",
  async () => {
    const path = publicPath("situations-dev");
    const labelled = listLabelledRules(path);
    const rules = readTarFiles(readPublic("sigma-rules.tar.gz"))
      .filter(({ text }) => labelled.has(/^id: (\S+)/m.exec(text)?.[1] ?? ""))
      .flatMap(({ text }) => {
        const reading = readSigma(text);
        return reading.state === "read" ? [reading.rule] : [];
      });
    const situations = readSituations(path, rules, (place) => place % EVERY_SITUATION === 1);
    expect(situations.length).toBeGreaterThan(2);
    for (const { name, logs, alerts } of situations) {
      await store(logs, name);
      const memory = createMemoryReader({ logs, alerts: alerts.map(({ alert }) => alert), history: [] });
      const mixed: EventReader = {
        ...reader,
        alertsOn: (...given) => memory.alertsOn(...given),
        ruleFeedback: (...given) => memory.ruleFeedback(...given),
        ruleDayShares: (...given) => memory.ruleDayShares(...given),
        imageDayShare: (...given) => memory.imageDayShare(...given),
        iocHits: (...given) => memory.iocHits(...given),
      };
      for (const { alert } of alerts) {
        const found = await gather(mixed, alert);
        const expected = await gather(memory, alert);
        expect(measureSignals(found), alert.id).toEqual(measureSignals(expected));
      }
    }
  },
  600_000,
);

import { basename } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { lacksPublicData, publicPath, readPublic, readTarFiles } from "../../../testing/fixtures/public-data.ts";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { buildSubject, createMemoryTools, runPlan, toSubject } from "../../../testing/situations/memory-tools.ts";
import { listLabelledRules, readSituations } from "../../../testing/situations/situations.ts";
import { readSigma } from "../../detection/sigma/sigma.ts";
import { toLog } from "../../logs/normalise/normalise.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { checkFindings } from "../investigations/checker.ts";
import type { Finding } from "../investigations/findings.ts";
import { investigate } from "../investigations/investigate.ts";
import { PLANS } from "./plans.ts";
import type { Subject } from "./step.ts";

const LIMIT_MS = 600_000;
const isFull = process.env.PROVE === "full";
const EVERY_SAMPLE = isFull ? 1 : 12;
const EVERY_SITUATION = isFull ? 12 : 36;
const MAX_ALERTS = 4;
const NO_NAMES = { titles: [], techniques: [] };

async function runAll(subject: Subject, logs: readonly LogEvent[]): Promise<{ failed: string[]; findings: Finding[] }> {
  const tools = createMemoryTools({ logs });
  const runs = await Promise.all(PLANS.map((plan) => runPlan(plan, subject, tools)));
  const failed = runs
    .flatMap(({ made }) => made)
    .flatMap(({ tool, answer }) => (answer.error ? [`${tool}: ${answer.error}`] : []));
  return { failed, findings: runs.flatMap((run) => run.findings) };
}

describe.skipIf(lacksPublicData("sigma-regression.tar.gz"))("events that Sigma rules must match", () => {
  it("are searched without an error, and every sentence about them is supported", { timeout: LIMIT_MS }, async () => {
    const files = readTarFiles(readPublic("sigma-regression.tar.gz")).filter(({ path }) => /\.json(cls)?$/.test(path));
    let said = 0;
    for (const { path, text } of files.filter((_, place) => place % EVERY_SAMPLE === 0)) {
      const logs = parseLogs(basename(path), text);
      const { failed, findings } = await runAll(buildSubject(logs.slice(0, 50)), logs);
      const checked = await checkFindings(createMemoryReader({ logs, alerts: [], history: [] }), findings, NO_NAMES);
      expect([path, failed, checked.filter(({ is_supported }) => !is_supported)]).toEqual([path, [], []]);
      said += findings.length;
    }
    expect(files).toHaveLength(203);
    expect(said).toBeGreaterThan(400 / EVERY_SAMPLE);
  });
});

const SITUATIONS = "situations-dev";
const DATA = ["sigma-rules.tar.gz", `${SITUATIONS}.json`, `${SITUATIONS}.ndjson.gz`];

describe.skipIf(lacksPublicData(...DATA))("alerts of attack simulations", () => {
  it("get supported sentences that the investigation itself lacks", { timeout: LIMIT_MS }, async () => {
    const wanted = listLabelledRules(publicPath(SITUATIONS));
    const rules = readTarFiles(readPublic("sigma-rules.tar.gz")).flatMap(({ path, text }) => {
      if (!path.endsWith(".yml") || !wanted.has(/^id: (\S+)/m.exec(text)?.[1] ?? "")) return [];
      const reading = readSigma(text);
      return reading.state === "read" ? [reading.rule] : [];
    });
    const situations = readSituations(publicPath(SITUATIONS), rules, (place) => place % EVERY_SITUATION === 0);
    let said = 0;
    for (const { logs, alerts } of situations) {
      const reader = createMemoryReader({ logs, alerts: alerts.map(({ alert }) => alert), history: [] });
      for (const { alert } of alerts.slice(0, MAX_ALERTS)) {
        const { failed, findings } = await runAll(toSubject(alert, logs), logs);
        const checked = await checkFindings(reader, findings, NO_NAMES);
        expect([alert.id, failed, checked.filter(({ is_supported }) => !is_supported)]).toEqual([alert.id, [], []]);
        const known = new Set((await investigate(reader, alert)).findings.map(({ statement }) => statement));
        expect(findings.filter(({ statement }) => known.has(statement))).toEqual([]);
        said += findings.length;
      }
    }
    expect(said).toBeGreaterThan(isFull ? 20 : 5);
  });
});

/** Some files contain several objects in sequence. */
function parseLogs(name: string, text: string): LogEvent[] {
  return text
    .split(/\n(?=\{)/)
    .filter((part) => part.trim() !== "")
    .map((raw, place) =>
      toLog(JSON.parse(raw), { id: `${name}-${place}`, site: "", ingested_at: "2026-01-01T00:00:00.000Z", raw }),
    );
}

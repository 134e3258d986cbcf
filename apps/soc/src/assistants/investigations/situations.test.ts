import { createHash } from "node:crypto";
import { basename } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, it } from "vitest";
import { lacksPublicData, publicPath, readPublic, readTarFiles } from "../../../testing/fixtures/public-data.ts";
import {
  crossValidate,
  type Figures,
  fitTable,
  type InvestigatedAlert,
  investigateAll,
  judgeByProduct,
  measure,
} from "../../../testing/situations/evaluate.ts";
import { formatTable, listWrong } from "../../../testing/situations/figures-table.ts";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { listLabelledRules, readSituations } from "../../../testing/situations/situations.ts";
import { readSigma, type SigmaRule } from "../../detection/sigma/sigma.ts";
import { unifyHost } from "../../foundation/records/entity-name.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { gather } from "./gather.ts";
import { measureSignals } from "./signals.ts";
import { BIAS, WEIGHTS } from "./weights.ts";

const isFull = process.env.PROVE === "full";
/** `npm run prove -- agents --situations FILE` measures another file of the same form. */
const other = process.env.PROVE_SITUATIONS ?? "";
const DEVELOPED = "situations-dev";
const LIMIT_MS = 1_800_000;
/** A build investigates every seventh simulation with the rules that its labels name. */
const EVERY_SITUATION = 7;
/** The table has two decimals; the tolerance allows for changes of the rules or of the tree walk. */
const TABLE_TOLERANCE = 0.05;

const DATA = ["sigma-rules.tar.gz", `${DEVELOPED}.json`, `${DEVELOPED}.ndjson.gz`];

describe.skipIf(lacksPublicData(...DATA))("attack simulations", { timeout: LIMIT_MS }, () => {
  let developed: InvestigatedAlert[] = [];
  let measured: InvestigatedAlert[] = [];

  beforeAll(async () => {
    const dev = publicPath(DEVELOPED);
    const path = other === "" ? dev : other.replace(/\.(?:json|ndjson\.gz)$/, "");
    const isWanted = (place: number) => isFull || place % EVERY_SITUATION === 0;
    const rules = readRules(isFull ? undefined : listLabelledRules(dev));
    const past = readSituations(dev, rules, isWanted);
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    developed = await investigateAll(past, past, byId);
    if (path === dev) measured = developed;
    else {
      const situations = readSituations(path, rules);
      measured = await investigateAll(situations, [...past, ...situations], byId);
    }
  }, LIMIT_MS);

  it("have findings that cite only events that contain the claims", () => {
    const unsupported = measured.flatMap(({ result }) => result.findings).filter(({ is_supported }) => !is_supported);
    expect(unsupported).toEqual([]);
    expect(measured.every(({ result }) => result.findings.length > 0)).toBe(true);
  });

  it("get no verdict other than inconclusive without a cited event and a signal beside the severity", () => {
    const bare = measured.filter(
      ({ result: { verdict, findings, contributions } }) =>
        verdict !== "inconclusive" &&
        (findings.every(({ is_supported }) => !is_supported) ||
          contributions.every(({ signal }) => signal === "severity")),
    );
    expect(bare.map(({ title }) => title)).toEqual([]);
  });

  it.skipIf(isFull)("are rarely misjudged in a sample", () => {
    const { auc, attacks, background, attackBenign, backgroundMalicious, simulations } = measure(
      judgeByProduct(measured),
    );
    expect(attacks).toBeGreaterThan(20);
    expect(background).toBeGreaterThan(10);
    expect(auc).toBeGreaterThan(0.9);
    expect(attackBenign).toBeLessThanOrEqual(0.1);
    expect(backgroundMalicious).toBeLessThanOrEqual(0.1);
    expect(simulations.benign).toBe(0);
  });

  it.runIf(isFull)(
    "get the same verdict in another order, at another time, with other ids and with events of other hosts",
    async () => {
      const situations = [...new Set(developed.map(({ situation }) => situation))];
      for (const situation of situations.filter((_, place) => place % EVERY_SITUATION === 0)) {
        const alerts = situation.alerts.map(({ alert }) => alert);
        const changed = disturb(
          situation.logs,
          situations.flatMap(({ logs }) => logs),
        );
        const renamed = alerts.map((alert) => ({ ...alert, log_ids: alert.log_ids.map(rename) }));
        const before = createMemoryReader({ logs: situation.logs, alerts, history: [] });
        const after = createMemoryReader({ logs: changed, alerts: renamed.toReversed(), history: [] });
        for (const [place, alert] of alerts.entries()) {
          const expected = measureSignals(await gather(before, alert));
          expect(measureSignals(await gather(after, renamed[place] ?? alert)), alert.id).toEqual(expected);
        }
      }
    },
  );

  it.runIf(isFull)("give these figures with whole families of tools excluded in turn", () => {
    const judged = crossValidate(measured, developed);
    const figures = measure(judged);
    console.log(
      [`${basename(other) || DEVELOPED}:`, formatTable(figures, measure(judgeByProduct(measured))), "", "wrong:"]
        .concat(listWrong(judged))
        .join("\n"),
    );
    if (other === "") expectTargets(figures);
  });

  it.runIf(isFull)("reproduce the table of weights", () => {
    const { bias, weights, signals } = fitTable(developed);
    const fitted = Object.fromEntries(signals.map((signal, at) => [signal, Number(weights[at]?.toFixed(2))]));
    console.log("fitted:", { bias: Number(bias.toFixed(2)), ...fitted });
    expect(Math.abs(bias - BIAS)).toBeLessThan(TABLE_TOLERANCE);
    for (const [at, signal] of signals.entries()) {
      expect(Math.abs((weights[at] ?? 0) - WEIGHTS[signal].weight), signal).toBeLessThan(TABLE_TOLERANCE);
    }
  });
});

const YEAR_MS = 365 * 86_400_000;

function rename(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}

/** Returns the same logs a year later, in the order of new ids, mixed with logs of hosts outside the situation. */
function disturb(logs: readonly LogEvent[], others: readonly LogEvent[]): LogEvent[] {
  const hosts = new Set(logs.map(({ host }) => unifyHost(host)));
  const timestamps = logs.map(({ timestamp }) => timestamp);
  const foreign = others
    .filter(({ host }) => !hosts.has(unifyHost(host)))
    .map((log, place) => ({ ...log, timestamp: timestamps[place % timestamps.length] ?? log.timestamp }));
  return [...logs, ...foreign]
    .map((log) => ({
      ...log,
      id: rename(log.id),
      timestamp: new Date(Date.parse(log.timestamp) + YEAR_MS).toISOString(),
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function expectTargets(figures: Figures): void {
  const { auc, attackBenign, backgroundMalicious, simulations, calibration, techniques } = figures;
  expect(auc).toBeGreaterThanOrEqual(0.93);
  expect(attackBenign).toBeLessThanOrEqual(0.04);
  expect(backgroundMalicious).toBeLessThanOrEqual(0.08);
  expect(simulations.benign).toBe(0);
  expect(simulations.malicious / simulations.count).toBeGreaterThanOrEqual(0.8);
  expect(techniques.named / techniques.count).toBeGreaterThanOrEqual(0.8);
  // An inconclusive verdict makes no claim that could be right.
  for (const { verdict, confidence, right } of calibration.filter((each) => each.verdict !== "inconclusive")) {
    expect(Math.abs(confidence - right), verdict).toBeLessThanOrEqual(0.1);
  }
}

function readRules(wanted: ReadonlySet<string> | undefined): SigmaRule[] {
  return readTarFiles(readPublic("sigma-rules.tar.gz"))
    .filter(({ path }) => path.endsWith(".yml"))
    .filter(({ text }) => wanted === undefined || wanted.has(/^id: (\S+)/m.exec(text)?.[1] ?? ""))
    .flatMap(({ text }) => {
      const reading = readSigma(text);
      return reading.state === "read" ? [reading.rule] : [];
    });
}

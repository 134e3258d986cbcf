import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readDocumentedMetrics } from "@kit/testing/metrics-document";
import { hasPromtool, runPromtool } from "@kit/testing/promtool";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  targets?: { refId: string; expr: string }[];
}

const RULES = new URL("./prometheus/", import.meta.url);
const DASHBOARDS = new URL("./grafana/", import.meta.url);
const RUNBOOKS = "docs/operations/runbooks/";
const ROOT = new URL("../../", import.meta.url);
const FIRING = 'count by (alertname) (ALERTS{alertstate="firing"})';
const PARTS = ["Means", "Look", "Do", "Over"];

const read = (name: string) => readFile(new URL(name, RULES), "utf8");
const listed = (await readdir(RULES)).toSorted();
const testFiles = listed.filter((name) => name.endsWith(".test.yml"));
const ruleFiles = listed.filter((name) => !testFiles.includes(name));
const rules: Rule[] = [];
for (const name of ruleFiles) {
  for (const group of parse(await read(name)).groups) rules.push(...group.rules);
}
const alerts = rules.filter(({ alert }) => alert !== undefined);
const names = alerts.map(({ alert = "" }) => alert);

/** The metrics that the products show, as a rule may name them, and what the rules record. */
async function listKnownMetrics(): Promise<Set<string>> {
  const shown = [...(await readDocumentedMetrics("soc")), ...(await readDocumentedMetrics("player"))];
  const histograms = shown.filter((name) => name.endsWith("_http_request_duration_seconds"));
  const series = histograms.flatMap((name) => [`${name}_bucket`, `${name}_count`, `${name}_sum`]);
  return new Set([...shown, ...series, ...rules.flatMap(({ record }) => record ?? [])]);
}

const findMetrics = (expr: string) => expr.match(/\bmanara_[a-z0-9_:]+/g) ?? [];

it("has rules for both products and for their SLOs", () => {
  expect(ruleFiles).toEqual(["player-alerts.yml", "slos.yml", "soc-alerts.yml"]);
  expect(new Set(names).size).toBe(alerts.length);
  expect(alerts.length).toBeGreaterThan(30);
});

describe.runIf(hasPromtool())("rules checked by Prometheus", () => {
  const run = (...words: string[]) => runPromtool(words, fileURLToPath(RULES));

  it("finds no fault in the rules with promtool", async () => {
    expect(await run("check", "rules", ...ruleFiles)).toMatch(/^(Checking \S+\n {2}SUCCESS: \d+ rules found\n\s*)+$/);
  });

  it.each(testFiles)("fires and resolves each alert as %s specifies", { timeout: 120_000 }, async (file) => {
    expect(await run("test", "rules", file)).toBe(`Unit Testing:  ${file}\n  SUCCESS\n\n`);
  });
});

it("has a test of every alert that is quiet first, fires, and is quiet at the end", async () => {
  const tested: string[] = [];
  for (const file of testFiles) {
    for (const group of parse(await read(file)).tests) {
      const checks: { expr: string; exp_samples: { labels: string }[] }[] = group.promql_expr_test;
      const fired = checks.filter(({ expr }) => expr === FIRING).map(({ exp_samples }) => exp_samples.length);
      const isWhole = fired[0] === 0 && fired.includes(1) && checks.at(-1)?.exp_samples.length === 0;
      if (isWhole && JSON.stringify(checks).includes(`alertname=\\"${group.name}\\"`)) tested.push(group.name);
    }
  }
  expect(tested.toSorted()).toEqual(names.toSorted());
});

it("has a runbook with four parts for every alert, and no runbook without an alert", async () => {
  const files = (await readdir(new URL(RUNBOOKS, ROOT))).filter((name) => name !== "README.md");
  const sections = new Map<string, string>();
  for (const file of files) {
    const text = await readFile(new URL(`${RUNBOOKS}${file}`, ROOT), "utf8");
    for (const [title = "", ...lines] of text
      .split(/^## /m)
      .slice(1)
      .map((section) => section.split("\n")))
      sections.set(`${RUNBOOKS}${file}#${title.toLowerCase()}`, [title, ...lines].join("\n"));
  }
  expect(alerts.map(({ annotations }) => annotations?.runbook ?? "").toSorted()).toEqual(
    [...sections.keys()].toSorted(),
  );
  for (const { alert, labels, annotations } of alerts) {
    const section = sections.get(annotations?.runbook ?? "") ?? "";
    expect(section.split("\n")[0]).toBe(alert);
    expect(
      [...section.matchAll(/^\*\*(\w+):\*\* \S/gm)].map(([, part]) => part),
      alert,
    ).toEqual(PARTS);
    expect(labels?.severity, alert).toMatch(/^(critical|warning)$/);
    expect(annotations?.summary, alert).toMatch(/\S/);
  }
});

it("names only documented metrics in the rules", async () => {
  const known = await listKnownMetrics();
  const named = rules.flatMap(({ expr }) => findMetrics(expr));
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

describe.each(["soc", "player"])("dashboard of the %s", (product) => {
  async function readPanels(): Promise<Panel[]> {
    return JSON.parse(await readFile(new URL(`${product}.json`, DASHBOARDS), "utf8")).panels;
  }

  it("queries only documented metrics in the dashboards", async () => {
    const known = await listKnownMetrics();
    const asked = (await readPanels()).flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => findMetrics(expr)));
    expect(asked.length).toBeGreaterThan(15);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it("has panels with unique ids, side by side, that query the selected Prometheus", async () => {
    const panels = await readPanels();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Map<string, string>();
    for (const { type, title, gridPos, datasource, targets = [] } of panels) {
      expect(type === "row" || (datasource?.uid === `\${datasource}` && targets.length > 0), title).toBe(true);
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.get(`${x} ${y}`), `${title} covers`).toBeUndefined();
          taken.set(`${x} ${y}`, title);
        }
      }
    }
  });
});

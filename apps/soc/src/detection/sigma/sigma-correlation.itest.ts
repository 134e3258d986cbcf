import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { toLog } from "../../logs/normalise/normalise.ts";

const clock = createClock();
let engine: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let app: Frame;
let made = 0;

beforeAll(async () => {
  engine = await startLogStore();
  platform = await testPlatform("real");
  ({ app } = await detectionsPlatform(platform, engine.store));
}, 120_000);

afterAll(async () => {
  await platform.close();
  await engine.stop();
});

async function ask(path: string, payload?: object, method: "GET" | "POST" | "PATCH" = payload ? "POST" : "GET") {
  const answer = await app.inject({ method, url: `/api/v1${path}`, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
const importRules = (...documents: string[]) => ask("/detections/rules/import", { yaml: documents.join("\n---\n") });
const run = async (rule_id: string) => (await ask(`/detections/rules/${rule_id}/run`, {}, "POST")).body;

/** The base rules of the specification's examples: Windows logons by their result. */
const buildBase = (name: string, eventId: number, service: string, id = "") => `title: ${name}
${id === "" ? "" : `id: ${id}`}
name: ${name}
logsource: {product: windows, service: security}
detection:
  selection: {EventID: ${eventId}, ServiceName: ${service}}
  condition: selection`;

const buildCorrelation = (lines: string, head = "", title = "Correlated") => `title: ${title}
${head}
level: high
correlation:
${lines.replaceAll(/^/gm, "  ")}`;

interface Logon {
  code: number;
  /** Seconds after the first event. */
  at: number;
  user?: string;
  host?: string;
  address?: string;
}

/** Stores logons of an hour ago under a service name that no other test uses. */
async function storeLogons(service: string, logons: readonly Logon[]): Promise<void> {
  const start = clock.now().getTime() - 3_600_000;
  const logs = logons.map(({ code, at, user = "mallory", host = "DC1", address = "10.0.0.1" }) => {
    made += 1;
    const timestamp = new Date(start + at * 1000).toISOString();
    const event = { Channel: "Security", EventID: code, Computer: host, TargetUserName: user, IpAddress: address };
    const arrival = { id: `log-${made}`, site: "", ingested_at: timestamp, raw: "" };
    return sampleLog({ ...toLog({ ...event, ServiceName: service }, arrival), timestamp, ingested_at: timestamp });
  });
  await engine.store.insert(logs, { token: `correlation-${made}` });
}

function newService(): string {
  made += 1;
  return `svc${made}`;
}

/** Imports one correlation with the rules failed (4625) and good (4624), and runs it. */
async function findGroups(correlation: string, logons: readonly Logon[]) {
  const service = newService();
  await storeLogons(service, logons);
  const names = [`failed_${service}`, `good_${service}`] as const;
  const text = correlation.replaceAll("failed", names[0]).replaceAll("good", names[1]);
  const bases = [buildBase(names[0], 4625, service), buildBase(names[1], 4624, service)];
  const used = bases.filter((_, at) => text.includes(names[at === 0 ? 0 : 1]));
  const { status, body } = await importRules(...used, buildCorrelation(text, "", `Correlated ${service}`));
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.refused).toEqual([]);
  const { rule } = body.items.at(-1);
  const { total } = await run(rule.id);
  const { body: alerts } = await ask(`/alerts?rule_id=${rule.id}`);
  return { rule, total, groups: alerts.items.map((alert: { group: object }) => alert.group) };
}

const failures = (count: number, everySeconds: number, fields: Partial<Logon> = {}): Logon[] =>
  Array.from({ length: count }, (_, n) => ({ code: 4625, at: n * everySeconds, ...fields }));

/** The Sigma correlation specification 2.0, "Event Count". */
describe("event_count", () => {
  const ask3 = (condition: string) => `type: event_count
rules: [failed]
group-by: [ComputerName]
timespan: 1m
condition: {${condition}}`;

  it("imports event_count as a threshold of events of one group within the timespan", async () => {
    const { rule, total, groups } = await findGroups(ask3("gte: 3"), [
      ...failures(3, 30, { host: "DC1" }),
      ...failures(2, 30, { host: "DC2" }),
      ...failures(3, 40, { host: "DC3" }),
    ]);
    expect(rule).toMatchObject({ type: "threshold", schedule_enabled: true, enabled: true, alert_severity: "high" });
    expect(rule.threshold).toEqual({ count: 3, group_by: ["host"], within_minutes: 1 });
    expect(total).toBe(3);
    expect(groups).toEqual([{ host: "DC1" }]);
  });

  it("requires more than the bound of gt", async () => {
    const { rule, groups } = await findGroups(ask3("gt: 3"), failures(3, 10));
    expect(rule.threshold).toMatchObject({ count: 4 });
    expect(groups).toEqual([]);
  });

  it("counts the events of all of its rules together", async () => {
    const both = ask3("gte: 3").replace("[failed]", "[failed, good]");
    const { groups } = await findGroups(both, [...failures(2, 10), { code: 4624, at: 30 }]);
    expect(groups).toEqual([{ host: "DC1" }]);
  });

  it("accepts a timespan in seconds", async () => {
    const seconds = ask3("gte: 3").replace("1m", "45s");
    const { rule, groups } = await findGroups(seconds, failures(3, 23));
    expect(rule.threshold).toEqual({ count: 3, group_by: ["host"], within_seconds: 45 });
    expect(groups).toEqual([]);
  });
});

/** "Value Count": distinct values of the field, for each group. */
it("value_count counts the distinct values of its field in each group", async () => {
  const correlation = `type: value_count
rules: [failed]
group-by: [IpAddress]
timespan: 10m
condition: {field: TargetUserName, gte: 3}`;
  const { rule, total, groups } = await findGroups(correlation, [
    ...["ann", "bob", "cid"].map((user, n) => ({ code: 4625, at: n, user, address: "10.0.0.1" })),
    ...["ann", "ann", "bob", "bob"].map((user, n) => ({ code: 4625, at: n, user, address: "10.0.0.2" })),
    // Three values, but never within ten minutes.
    ...["ann", "bob", "cid"].map((user, n) => ({ code: 4625, at: n * 400, user, address: "10.0.0.3" })),
  ]);
  expect(rule.threshold).toEqual({
    ...{ count: 3, group_by: ["attributes.IpAddress"], within_minutes: 10 },
    distinct_field: "attributes.TargetUserName",
  });
  expect(total).toBe(3);
  expect(groups).toEqual([{ "attributes.IpAddress": "10.0.0.1" }]);
});

/** "Temporal Proximity" and "Ordered Temporal Proximity". */
describe("temporal correlations", () => {
  const inOrder = `type: temporal_ordered
rules: [failed, good]
group-by: [TargetUserName]
timespan: 5m`;
  const logons: Logon[] = [
    { code: 4625, at: 0, user: "in-order" },
    { code: 4624, at: 60, user: "in-order" },
    { code: 4624, at: 0, user: "reversed" },
    { code: 4625, at: 60, user: "reversed" },
    { code: 4625, at: 0, user: "slow" },
    { code: 4624, at: 301, user: "slow" },
    { code: 4625, at: 0, user: "only-failed" },
    { code: 4625, at: 9, user: "only-failed" },
  ];

  it("imports temporal_ordered as a sequence of its rules in order", async () => {
    const { rule, total, groups } = await findGroups(inOrder, logons);
    expect(rule).toMatchObject({ type: "sequence", schedule_enabled: true });
    expect(rule.threshold).toEqual({ steps: [], group_by: ["attributes.TargetUserName"], within_minutes: 5 });
    expect(total).toBe(2);
    expect(groups).toEqual([{ "attributes.TargetUserName": "in-order" }]);
  });

  it("imports temporal as a set of rules in any order", async () => {
    const { rule, groups } = await findGroups(inOrder.replace("temporal_ordered", "temporal"), logons);
    expect(rule.threshold).toMatchObject({ any_order: true });
    expect(groups).toHaveLength(2);
    expect(groups).toEqual(
      expect.arrayContaining([
        { "attributes.TargetUserName": "in-order" },
        { "attributes.TargetUserName": "reversed" },
      ]),
    );
  });

  it("keeps the steps of a temporal correlation if a person changes the time", async () => {
    const { rule } = await findGroups(inOrder, logons);
    const threshold = { group_by: ["attributes.TargetUserName"], within_minutes: 10 };
    const { status, body } = await ask(`/detections/rules/${rule.id}`, { threshold }, "PATCH");
    expect({ status, threshold: body.threshold }).toEqual({ status: 200, threshold: { steps: [], ...threshold } });
    expect((await run(rule.id)).total).toBe(4);
  });
});

describe("the rules of a correlation", () => {
  const count = (rule: string) => `type: event_count
rules: [${rule}]
timespan: 1h
condition: {gte: 5}`;
  const id = "eeeeeeee-0000-4000-8000-000000000001";

  it("raises no alerts for the rules of a correlation, unless the correlation requests it", async () => {
    const service = newService();
    const quiet = await importRules(buildBase(service, 4625, service), buildCorrelation(count(service)));
    expect(quiet.body.items.map(({ rule }: { rule: { enabled: boolean } }) => rule.enabled)).toEqual([false, true]);
    const other = newService();
    const loud = buildCorrelation(count(other), "generate: true");
    const both = await importRules(buildBase(other, 4625, other), loud);
    expect(both.body.items.map(({ rule }: { rule: { enabled: boolean } }) => rule.enabled)).toEqual([true, true]);
  });

  it("resolves rules that follow the correlation or are already imported, by name or id", async () => {
    const service = newService();
    const base = buildBase(service, 4625, service, id);
    const after = await importRules(buildCorrelation(count(service)), base);
    expect(after.body.refused).toEqual([]);
    for (const reference of [service, id]) {
      const { status, body } = await importRules(buildCorrelation(count(reference)));
      expect(status, JSON.stringify(body)).toBe(201);
      const source = await app.inject(`/api/v1/detections/rules/${body.items[0].rule.id}/source`);
      expect(source.body).toContain(`ServiceName: ${service}`);
      expect(source.body).toContain("type: event_count");
    }
  });

  it("keeps the ids of rules if the correlation is imported again, and adds a version if they change", async () => {
    const service = newService();
    const own = "id: eeeeeeee-0000-4000-8000-000000000002";
    const correlation = buildCorrelation(count(service), own);
    const results = async (base: string) =>
      (await importRules(base, correlation)).body.items.map(({ result }: { result: string }) => result).at(-1);
    const base = buildBase(service, 4625, service, "eeeeeeee-0000-4000-8000-000000000003");
    expect(await results(base)).toBe("created");
    expect(await results(base)).toBe("unchanged");
    expect(await results(base.replace("4625", "4771"))).toBe("updated");
  });

  it("previews a correlation together with its rules", async () => {
    const service = newService();
    await storeLogons(service, failures(5, 1));
    const yaml = [buildBase(service, 4625, service), buildCorrelation(count(service))].join("\n---\n");
    const { status, body } = await ask("/detections/rules/preview", { yaml });
    expect({ status, total: body.total }, JSON.stringify(body)).toEqual({ status: 200, total: 5 });
  });
});

describe("unsupported correlations", () => {
  const full = {
    type: "event_count",
    rules: "[base_rule]",
    "group-by": "[ComputerName]",
    timespan: "1h",
    condition: "{gte: 5}",
  };
  it.each([
    [{ type: "value_avg" }, /^correlation\.type: 'value_avg' is not supported/],
    [{ rules: "[missing]" }, /^correlation\.rules: 'missing' is not a rule of this import or an imported rule$/],
    [{ rules: "[]" }, /^correlation\.rules: must be/],
    [{ condition: "{lt: 5}" }, /^correlation\.condition\.lt: is not supported/],
    [{ condition: "{gt: 5, lte: 9}" }, /^correlation\.condition\.lte: is not supported/],
    [{ condition: "{gte: 1}" }, /^correlation\.condition\.gte: must be 2 to 10000$/],
    [{ condition: "{gte: many}" }, /^correlation\.condition\.gte: must be/],
    [{ timespan: "1M" }, /^correlation\.timespan: must be a number and s, m, h or d/],
    [{ timespan: "30d" }, /^correlation\.timespan: '30d' is longer than 7 days$/],
    [{ aliases: "{who: {base_rule: User}}" }, /^correlation\.aliases: is not supported/],
    [{ "group-by": "[A, B, C, D]" }, /^correlation\.group-by: must have at most 3 fields$/],
    [{ type: "value_count", condition: "{gte: 5}" }, /^correlation\.condition\.field: must be/],
    [{ type: "value_count", condition: "{gte: 5, field: [A, B]}" }, /^correlation\.condition\.field: must be one/],
    [{ type: "temporal" }, /^correlation\.rules: must name at least two rules$/],
    [{ type: "temporal", rules: "[base_rule, b]", condition: "{gte: 1}" }, /^correlation\.condition: .*all 2 rules$/],
  ])("refuses an unsupported correlation with the field: %j", async (changed, why) => {
    const fields = Object.entries({ ...full, ...changed });
    const correlation = buildCorrelation(fields.map(([name, value]) => `${name}: ${value}`).join("\n"));
    const { status, body } = await importRules(
      buildBase("base_rule", 1, "x", "eeeeeeee-0000-4000-8000-00000000000a"),
      correlation,
    );
    expect(status).toBe(201);
    expect(body.refused).toEqual([{ document: 2, title: "Correlated", reasons: [expect.stringMatching(why)] }]);
  });

  it("refuses a correlation of a correlation, and a filter, with an alternative", async () => {
    const base = buildBase("base_rule", 1, "x", "eeeeeeee-0000-4000-8000-00000000000a");
    const inner = buildCorrelation(
      "type: event_count\nrules: [base_rule]\ntimespan: 1h\ncondition: {gte: 5}",
      "name: inner",
    );
    const outer = buildCorrelation("type: temporal_ordered\nrules: [inner, base_rule]\ntimespan: 1h");
    const filter =
      "title: Filter\nlogsource: {product: windows}\nfilter: {rules: [base_rule], s: {A: x}, condition: not s}";
    const { body } = await importRules(base, inner, outer, filter);
    expect(body.refused).toEqual([
      {
        document: 3,
        title: "Correlated",
        reasons: [expect.stringMatching(/^correlation\.rules: 'inner' is a correlation/)],
      },
      { document: 4, title: "Filter", reasons: [expect.stringMatching(/^filter: .*query.*suppression$/)] },
    ]);
  });
});

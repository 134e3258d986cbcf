import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";

const MINUTE = 60_000;
const WINDOW = "from=2026-11-15T08:00:00Z&to=2026-11-15T10:00:00Z";
const START = Date.parse("2026-11-15T08:00:00Z");
const MANY = 50_000;

let platform: TestPlatform;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let app: Awaited<ReturnType<typeof siemApp>>;

const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();
const ask = (path: string) => app.inject({ url: `/api/v1/siem/${path}` });
const get = async (path: string) => {
  const answered = await ask(path);
  if (answered.statusCode !== 200) throw new Error(answered.body);
  return answered.json();
};
const post = async (payload: object) => app.inject({ method: "POST", url: "/api/v1/siem/aggregate", payload });

/** Sixty logs, one per minute from 08:00: every third is high and fails; every tenth has no host. */
const LOGS: LogEvent[] = Array.from({ length: 60 }, (_, n) =>
  sampleLog({
    id: `log-${n}`,
    timestamp: at(n),
    source: n % 2 === 0 ? "sshd" : "nginx",
    host: n % 10 === 0 ? "" : `srv-${n % 4}`,
    severity: n % 3 === 0 ? "high" : "info",
    outcome: n % 3 === 0 ? "failure" : "success",
    user: `user-${n}`,
    dst_port: n % 5 === 0 ? 22 : 0,
    message: n === 7 ? "a needle" : "hay",
    attributes: { bytes: n * 10, logon: { type: n % 2 }, ...(n % 4 === 0 && { tags: ["a", `b${n % 8}`] }) },
  }),
);

beforeAll(async () => {
  platform = await testPlatform("real");
  logs = await startLogStore();
  app = await siemApp(platform, { logStore: logs.store });
  await logs.store.insert(LOGS, { token: "first" });
});

afterAll(async () => {
  await logs.stop();
  await platform.close();
});

describe("GET /siem/logs/histogram", () => {
  it("counts the logs of each interval by severity", async () => {
    const answered = await get(`logs/histogram?${WINDOW}&buckets=20`);
    expect(answered).toMatchObject({ interval_s: 900, by: "severity", total: 60 });
    expect(answered).toMatchObject({ is_estimate: false, is_partial: false, covered_from: null });
    expect(answered.buckets).toEqual(
      [0, 15, 30, 45].map((minute) => ({ at: at(minute), total: 15, by: { high: 5, info: 10 } })),
    );
  });

  it("counts only the logs that match a query, by another field", async () => {
    const { total, buckets } = await get(`logs/histogram?${WINDOW}&query=outcome:failure&by=source&buckets=200`);
    expect(total).toBe(20);
    expect(buckets[0]).toEqual({ at: at(0), total: 1, by: { sshd: 1 } });
    expect(buckets[1]).toEqual({ at: at(3), total: 1, by: { nginx: 1 } });
  });

  it("names the ten most frequent values, and counts logs without a value in the total", async () => {
    const { buckets } = await get(`logs/histogram?${WINDOW}&by=user&buckets=10`);
    const named = new Set(buckets.flatMap(({ by }: { by: object }) => Object.keys(by)));
    expect(named.size).toBe(10);
    const hosts = await get(`logs/histogram?${WINDOW}&by=host&buckets=10`);
    expect(hosts.buckets[0]).toEqual({ at: at(0), total: 15, by: { "srv-0": 3, "srv-1": 4, "srv-2": 3, "srv-3": 3 } });
  });

  it("refuses a wrong query, interval and order of times", async () => {
    expect((await ask("logs/histogram?query=host:(")).json().detail).toContain("query");
    expect((await ask("logs/histogram?buckets=201")).statusCode).toBe(400);
    expect((await ask("logs/histogram?by=raw")).statusCode).toBe(400);
    expect((await ask("logs/histogram?from=2026-11-15&to=2026-11-14")).statusCode).toBe(400);
  });
});

describe("GET /siem/logs/facets", () => {
  it("counts the values of fields and attributes, missing values and other values", async () => {
    const names = "source,host,dst_port,attributes.logon.type,attributes.tags";
    const { total, facets, is_estimate } = await get(`logs/facets?${WINDOW}&fields=${names}&limit=2`);
    expect({ total, is_estimate }).toEqual({ total: 60, is_estimate: false });
    const exact = { is_estimate: false };
    expect(facets).toEqual([
      {
        ...exact,
        field: "source",
        values: [
          { value: "nginx", count: 30 },
          { value: "sshd", count: 30 },
        ],
        missing: 0,
        distinct: 2,
        other: 0,
      },
      {
        ...exact,
        field: "host",
        values: [
          { value: "srv-1", count: 15 },
          { value: "srv-3", count: 15 },
        ],
        missing: 6,
        distinct: 4,
        other: 24,
      },
      { ...exact, field: "dst_port", values: [{ value: "22", count: 12 }], missing: 48, distinct: 1, other: 0 },
      {
        ...exact,
        field: "attributes.logon.type",
        values: [
          { value: "0", count: 30 },
          { value: "1", count: 30 },
        ],
        missing: 0,
        distinct: 2,
        other: 0,
      },
      {
        ...exact,
        field: "attributes.tags",
        values: [
          { value: "a", count: 15 },
          { value: "b0", count: 8 },
        ],
        missing: 45,
        distinct: 3,
        other: 0,
      },
    ]);
  });

  it("returns nothing for a query without matches, and the default fields without a list", async () => {
    const { total, facets } = await get(`logs/facets?${WINDOW}&query=host:absent`);
    expect(total).toBe(0);
    expect(facets.map(({ field }: { field: string }) => field)).toEqual([
      "severity",
      "source",
      "host",
      "user",
      "event_code",
    ]);
  });

  it("refuses fields that cannot be counted, and names them", async () => {
    for (const name of ["id", "message", "timestamp", "nothing", "attributes."]) {
      const answered = await ask(`logs/facets?fields=${name}`);
      expect([answered.statusCode, answered.headers["problem-field"]]).toEqual([
        400,
        name === "attributes." ? "attributes" : "fields",
      ]);
    }
  });
});

describe("POST /siem/aggregate", () => {
  const window = { from: "2026-11-15T08:00:00Z", to: "2026-11-15T10:00:00Z" };

  it("computes metrics by group, highest first metric first", async () => {
    const metrics = ["count", "distinct:user", "min:attributes.bytes", "max:attributes.bytes", "avg:attributes.bytes"];
    const group_by = ["source", "attributes.logon.type"];
    const answered = (await post({ ...window, group_by, metrics, query: "NOT user:user-59" })).json();
    expect(answered).toMatchObject({ is_partial: false, has_more: false });
    expect(answered.rows).toEqual([
      {
        group: { source: "sshd", "attributes.logon.type": "0" },
        metrics: {
          count: 30,
          "distinct:user": 30,
          "min:attributes.bytes": 0,
          "max:attributes.bytes": 580,
          "avg:attributes.bytes": 290,
        },
      },
      {
        group: { source: "nginx", "attributes.logon.type": "1" },
        metrics: {
          count: 29,
          "distinct:user": 29,
          "min:attributes.bytes": 10,
          "max:attributes.bytes": 570,
          "avg:attributes.bytes": 290,
        },
      },
    ]);
  });

  it("returns one row without groups, null for unknown values, and whether there are more groups", async () => {
    const whole = (await post({ ...window, metrics: ["count", "max:timestamp", "min:host"] })).json();
    expect(whole.rows).toEqual([
      { group: {}, metrics: { count: 60, "max:timestamp": "2026-11-15T08:59:00.000Z", "min:host": null } },
    ]);
    const hosts = (await post({ ...window, group_by: ["host"], limit: 4 })).json();
    expect(hosts.has_more).toBe(true);
    const all = (await post({ ...window, group_by: ["host"] })).json();
    expect(all.rows.at(-1)).toEqual({ group: { host: null }, metrics: { count: 6 } });
  });

  it("refuses unknown metrics and groups", async () => {
    const refused = [
      { group_by: ["message"] },
      { group_by: ["host", "user", "source", "site"] },
      { metrics: ["median:host"] },
      { metrics: ["avg:timestamp"] },
      { metrics: ["max:nothing"] },
      { metrics: [] },
      { limit: 1001 },
    ];
    for (const body of refused) expect((await post(body)).statusCode, JSON.stringify(body)).toBe(400);
    expect((await post({ metrics: ["median:host"] })).headers["problem-field"]).toBe("metrics");
  });
});

it("returns the newest logs if all of them take too long", async () => {
  const many = Array.from({ length: MANY }, (_, n) =>
    sampleLog({
      id: `many-${n}`,
      timestamp: new Date(Date.parse("2026-11-10T00:00:00Z") + n * 1152).toISOString(),
      raw: `${"x".repeat(200)} ${n}`,
    }),
  );
  await logs.store.insert(many, { token: "many" });
  const attempts = [
    { share: 1, maxSeconds: 0.000_001 },
    { share: 1 / 16, maxSeconds: 20 },
  ];
  const hurried = await siemApp(platform, { logStore: logs.store, attempts });
  const asked = "query=raw:x*9&from=2026-11-10T00:00:00Z&to=2026-11-10T16:00:00Z";
  const answers = await Promise.all([
    hurried.inject({ url: `/api/v1/siem/logs/histogram?${asked}` }),
    hurried.inject({ url: `/api/v1/siem/logs/facets?${asked}` }),
  ]);
  for (const answered of answers) {
    expect(answered.statusCode, answered.body).toBe(200);
    expect(answered.json()).toMatchObject({ is_partial: true, is_estimate: true });
    expect(answered.json().covered_from).toBe("2026-11-10T15:00:00.000Z");
    expect(answered.json().total).toBeGreaterThan(0);
  }
  const never = await siemApp(platform, { logStore: logs.store, attempts: attempts.slice(0, 1) });
  const empty = await never.inject({ url: `/api/v1/siem/logs/facets?${asked}` });
  expect(empty.json()).toMatchObject({ is_partial: true, total: 0, covered_from: "2026-11-10T16:00:00.000Z" });
});

it("answers in dummy mode from the showcase, as the search does", async () => {
  const dummy = await testPlatform("dummy", "none");
  const shown = await siemApp(dummy, { logStore: logs.store });
  const read = async (path: string) => (await shown.inject({ url: `/api/v1/siem/${path}` })).json();
  const [{ total }, histogram, facets] = await Promise.all([
    read("logs?from=now-30d"),
    read("logs/histogram?from=now-30d"),
    read("logs/facets?from=now-30d&fields=host,source"),
  ]);
  expect([histogram.total, facets.total]).toEqual([total, total]);
  const payload = { from: "now-30d", group_by: ["source"], metrics: ["count", "distinct:host", "max:timestamp"] };
  const aggregated = await shown.inject({ method: "POST", url: "/api/v1/siem/aggregate", payload });
  const counts = aggregated.json().rows.map(({ metrics }: { metrics: { count: number } }) => metrics.count);
  expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(total);
  await dummy.close();
});

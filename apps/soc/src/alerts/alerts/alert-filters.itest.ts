import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_LEDGER } from "../../../testing/fixtures/no-ledger.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createCases } from "../../cases/cases/cases.feature.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { createAlerts } from "../module.ts";
import type { Alert } from "./alert.ts";
import { createAlertChanges } from "./alert-changes.ts";

type Json = ReturnType<typeof JSON.parse>;

const COUNT = 24;
const FROM = "2020-01-01T00:00:00Z";
let platform: TestPlatform;
let app: Frame;
let alerts: Alert[];

async function openApp(tested: TestPlatform): Promise<Frame> {
  const changes = createAlertChanges(tested);
  const cases = createCases(tested, { alerts: changes, ledger: NO_LEDGER });
  const {
    registrations: { routes },
  } = createAlerts(tested, { ...cases.services, changes, compileQuery: compileAlertQuery });
  return featureApp(tested, ...routes, ...cases.registrations.routes);
}

async function read(path: string, from = app): Promise<Json> {
  const answered = await from.inject({ url: `/api/v1${path}` });
  expect([path, answered.statusCode, answered.json().detail]).toEqual([path, 200, undefined]);
  return answered.json();
}

/** Returns the numbers of the alerts that a filter selects. */
async function list(filter: string): Promise<number[]> {
  const { items, total }: { items: Alert[]; total: number } = await read(`/alerts?limit=200&${filter}`);
  expect(total).toBe(items.length);
  expect((await read(`/alerts/summary?from=${FROM}&${filter}`)).total).toBe(total);
  return items.map(({ title }) => Number(title.split(" ")[1])).toSorted((a, b) => a - b);
}

const numbers = (isListed: (place: number) => boolean) => [...Array(COUNT).keys()].filter(isListed);

beforeAll(async () => {
  platform = await testPlatform("real");
  app = await openApp(platform);
  for (const place of numbers(() => true)) {
    const payload = {
      title: `Finding ${place}`,
      source: "edr",
      severity: (["high", "low"] as const)[place % 2],
      iocs: place % 3 === 0 ? ["198.51.100.7", `https://a.example/?x=${place},1`] : [],
      assignee: ["admin", "noor", null][place % 3],
      ...(place % 4 === 0 && { risk_score: place }),
      ...(place % 5 === 0 && { host: "WS1.corp.example" }),
    };
    const created = await app.inject({ method: "POST", url: "/api/v1/alerts", payload });
    expect(created.statusCode).toBe(201);
  }
  alerts = (await read("/alerts?limit=200&sort=created_at")).items;
  const judge = (place: number, verdict: string) =>
    app.inject({ method: "PATCH", url: `/api/v1/alerts/${alerts[place]?.id}`, payload: { verdict } });
  await judge(1, "true_positive");
  await judge(2, "needs_tuning");
  await app.inject({ method: "POST", url: `/api/v1/alerts/${alerts[3]?.id}/promote` });
});

afterAll(() => platform.close());

describe("alert filters", () => {
  it.each<[string, (place: number) => boolean]>([
    ["assignee=me", (place) => place % 3 === 0],
    ["assignee=none", (place) => place % 3 === 2],
    ["assignee=me,none", (place) => place % 3 !== 1],
    ["verdict=true_positive&verdict=needs_tuning", (place) => place === 1 || place === 2],
    ["verdict=none", (place) => place !== 1 && place !== 2],
    ["has_case=true", (place) => place === 3],
    ["has_case=false&assignee=me", (place) => place % 3 === 0 && place !== 3],
    ["ioc=198.51.100.7", (place) => place % 3 === 0],
    ["ioc=https%3A%2F%2Fa.example%2F%3Fx%3D6%2C1&ioc=nothing", (place) => place === 6],
    ["min_risk=8", (place) => place % 4 === 0 && place >= 8],
    ["query=severity%3Ahigh", (place) => place % 2 === 0],
    ["query=host%3Aws1.corp.example%20AND%20NOT%20severity%3Ahigh", (place) => place % 5 === 0 && place % 2 === 1],
    ["query=title%3A*1", (place) => String(place).includes("1")],
    ["query=iocs%3A198.51.100.0%2F24&q=finding", (place) => place % 3 === 0],
  ])("selects alerts by %s", async (filter, isListed) => {
    expect(await list(filter)).toEqual(numbers(isListed));
  });

  it("selects alerts by id", async () => {
    const ids = [alerts[4]?.id, alerts[2]?.id];
    expect(await list(`ids=${ids.join(",")}`)).toEqual([2, 4]);
  });

  it.each([
    ["query=tittle%3Ax", "query: there is no field 'tittle' (the closest is 'title'), at character 1"],
    ["verdict=maybe", "verdict"],
    ["min_risk=101", "min_risk"],
    [`ids=${Array.from({ length: 101 }, () => "019680aa-0000-7000-8000-000000000000").join(",")}`, "ids"],
  ])("refuses the filter %.30s", async (filter, detail) => {
    const answered = await app.inject({ url: `/api/v1/alerts?${filter}` });
    expect(answered.statusCode).toBe(400);
    expect(answered.json().detail).toContain(detail);
  });

  it("sorts alerts by risk over several pages and lists alerts without a risk last", async () => {
    const found: (number | null)[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Json = await read(`/alerts?sort=-risk_score&limit=7${cursor && `&cursor=${cursor}`}`);
      found.push(...page.items.map((alert: Alert) => alert.risk_score));
      cursor = page.next_cursor;
    }
    expect(found).toEqual([20, 16, 12, 8, 4, 0, ...Array.from({ length: 18 }, () => null)]);
  });

  it("marks a query as incomplete if not all alerts were checked, and continues from the cursor", async () => {
    const { db } = platform;
    // A busy machine could not insert all rows within the limit of one statement.
    for (let from = 0; from < 2500; from += 250) {
      await sql`
        INSERT INTO alerts (id, fingerprint, title, source, severity, status, iocs, occurrence_count, first_seen, last_seen,
          reopened_count, log_ids, mitre_techniques, tags, created_at, updated_at)
        SELECT gen_random_uuid(), encode(sha256(place::text::bytea), 'hex'), 'Many ' || place, 'many', 'low', 'new', '{}', 1,
          at, at, 0, '{}', '{}', '{}', at, at
        FROM generate_series(${from + 1}::int, ${from + 250}::int) AS place,
          LATERAL (SELECT now() - place * interval '1 second' AS at) AS seen`.execute(db);
    }
    const first = await read("/alerts?source=many&query=title%3A%22Many%202400%22");
    expect(first).toMatchObject({ items: [], is_partial: true, total_is_estimate: true });
    const second = await read(`/alerts?source=many&query=title%3A%22Many%202400%22&cursor=${first.next_cursor}`);
    expect(second.items.map(({ title }: Alert) => title)).toEqual(["Many 2400"]);
    expect([second.next_cursor, second.is_partial]).toEqual([null, undefined]);
    const summary = await read(`/alerts/summary?from=${FROM}&source=many&query=title%3A%22Many%207%22`);
    expect(summary).toMatchObject({ is_partial: true, is_estimate: true });
  });

  it("answers from the showcase when there is no database", async () => {
    const shown = await testPlatform("dummy", "none");
    const showcase = await openApp(shown);
    const all: { items: Alert[] } = await read("/alerts?limit=200", showcase);
    const severe: { items: Alert[] } = await read(
      "/alerts?limit=200&query=severity%3A>%3Dhigh&sort=-risk_score",
      showcase,
    );
    expect(severe.items.map(({ id }) => id).toSorted()).toEqual(
      all.items
        .filter(({ severity }) => severity === "critical" || severity === "high")
        .map(({ id }) => id)
        .toSorted(),
    );
    const risks = severe.items.map(({ risk_score }) => risk_score ?? -1);
    expect(risks).toEqual(risks.toSorted((a, b) => b - a));
    await shown.close();
  });
});

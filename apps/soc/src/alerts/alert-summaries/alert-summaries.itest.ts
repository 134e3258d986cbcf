import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createCases } from "../../cases/cases/cases.feature.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { createAlertChanges } from "../alerts/alert-changes.ts";
import { createAlerts } from "../module.ts";
import { FACETS, GROUPINGS } from "./alert-summaries.schema.ts";
import { createAlertSummariesStore } from "./alert-summaries.store.ts";

type Json = ReturnType<typeof JSON.parse>;

let platform: TestPlatform;
let app: Frame;
let showcaseApp: Frame;
let closeShowcase: () => Promise<void>;

const NO_LEDGER = {
  append: async () => {
    throw new Error("no case is deleted here");
  },
};

async function openApp(tested: TestPlatform): Promise<Frame> {
  const changes = createAlertChanges(tested);
  const cases = createCases(tested, { alerts: changes, ledger: NO_LEDGER });
  return featureApp(
    tested,
    ...createAlerts(tested, { ...cases.services, changes, compileQuery: compileAlertQuery }).registrations.routes,
    ...cases.registrations.routes,
  );
}

async function get(from: Frame, path: string): Promise<Json> {
  const answered = await from.inject({ url: `/api/v1${path}` });
  expect([path, answered.statusCode, answered.json().detail]).toEqual([path, 200, undefined]);
  return answered.json();
}

const SEVERITIES = ["critical", "high", "medium", "low", "info"];
const HOSTS = ["ws-1", "WS-1.corp.example", "ws-2", undefined];

beforeAll(async () => {
  platform = await testPlatform("real", "fresh");
  app = await openApp(platform);
  const ids: string[] = [];
  for (let place = 0; place < 24; place += 1) {
    const payload = {
      title: `Finding ${place}`,
      source: place % 3 === 0 ? "edr" : "ids",
      severity: SEVERITIES[place % 5],
      ...(HOSTS[place % 4] && { host: HOSTS[place % 4] }),
      ...(place % 2 === 0 && { user: `user${place % 3}`, site: "office" }),
      mitre_techniques: place % 4 === 0 ? ["T1059.001"] : [],
      tags: place % 5 === 0 ? ["noisy", "a, b"] : [],
      assignee: place % 6 === 0 ? "noor" : null,
    };
    const created = await app.inject({ method: "POST", url: "/api/v1/alerts", payload });
    expect(created.statusCode).toBe(201);
    ids.push(created.json().id);
  }
  await app.inject({ method: "POST", url: `/api/v1/alerts/${ids[0]}/promote` });
  await app.inject({ method: "PATCH", url: `/api/v1/alerts/${ids[1]}`, payload: { status: "closed" } });
  await app.inject({
    method: "POST",
    url: "/api/v1/alerts",
    payload: { title: "Finding 2", source: "ids", site: "office" },
  });
  const shown = await testPlatform("dummy", "none");
  showcaseApp = await openApp(shown);
  closeShowcase = async () => {
    await showcaseApp.close();
    await shown.close();
  };
});
afterAll(async () => {
  await closeShowcase();
  await app.close();
  await platform.close();
});

const ALL_FIELDS = FACETS.map((field) => `fields=${field}`).join("&");
const cases = () =>
  [
    ["the database", app, ""],
    ["the showcase", showcaseApp, "from=2020-01-01T00:00:00Z"],
  ] as const;

describe("alert summaries", () => {
  it("counts as many alerts as the list shows when it is filtered by the value", async () => {
    for (const [name, shown, span] of cases()) {
      const summary = await get(shown, `/alerts/summary?${ALL_FIELDS}&${span}`);
      const { from, to, facets, buckets, total } = summary;
      expect([name, summary.is_estimate, summary.is_partial, summary.covered_from]).toEqual([name, false, false, null]);
      const listed = await get(shown, `/alerts?from=${from}&to=${to}`);
      expect([name, total]).toEqual([name, listed.total]);
      const counted = buckets.map(({ at: _, ...counts }: Json) =>
        Object.values(counts).reduce((sum: number, n) => sum + Number(n), 0),
      );
      expect(counted.reduce((sum: number, n: number) => sum + n, 0)).toBe(total);
      let values = 0;
      for (const field of FACETS) {
        for (const { value, count } of facets[field]) {
          if (value === null) continue;
          values += 1;
          // The parameter is repeated so that a comma is part of the value.
          const wanted = `${field}=${encodeURIComponent(value)}`;
          const filtered = await get(shown, `/alerts?${wanted}&${wanted}&from=${from}&to=${to}&limit=1`);
          expect([name, field, value, count]).toEqual([name, field, value, filtered.total]);
        }
      }
      expect(values).toBeGreaterThan(20);
    }
  });

  it("unifies entity names and adds parent techniques", async () => {
    const { facets } = await get(app, "/alerts/summary?fields=host,technique,assignee");
    expect(Object.keys(facets).toSorted()).toEqual(["assignee", "host", "technique"]);
    expect(facets.host).toEqual([
      { value: "ws-1", count: 12 },
      { value: "ws-2", count: 6 },
    ]);
    expect(facets.technique).toEqual([
      { value: "T1059", count: 6 },
      { value: "T1059.001", count: 6 },
    ]);
    expect(facets.assignee).toEqual([
      { value: null, count: 20 },
      { value: "noor", count: 4 },
    ]);
  });

  it("applies the filters of the request", async () => {
    const { total, facets } = await get(app, "/alerts/summary?severity=critical,high&host=ws-1&fields=severity,host");
    const listed = await get(app, "/alerts?severity=critical,high&host=ws-1");
    expect(total).toBe(listed.total);
    expect(facets.host).toEqual([{ value: "ws-1", count: total }]);
    expect(facets.severity.map(({ value }: Json) => value).toSorted()).toEqual(["critical", "high"]);
    expect((await get(app, "/alerts/summary?q=finding+7")).total).toBe(1);
    expect(await get(app, "/alerts/summary?to=2020-01-01T00:00:00Z")).toMatchObject({
      ...{ total: 0, buckets: [], interval_s: 1800, from: "2019-12-31T00:00:00.000Z", to: "2020-01-01T00:00:00.000Z" },
      facets: { severity: [], status: [], source: [], assignee: [] },
    });
  });

  it.each([
    ["fields=colour", /^fields/],
    ["buckets=9", /^buckets/],
    ["buckets=201", /^buckets/],
    ["from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", /^from: must be before to/],
    ["q=%20", /^q/],
  ])("refuses a summary with %s", async (query, words) => {
    const refused = await app.inject({ url: `/api/v1/alerts/summary?${query}` });
    expect([refused.statusCode, refused.json().detail]).toEqual([400, expect.stringMatching(words)]);
  });
});

describe("alert groups", () => {
  it("counts as many alerts per group as the list filtered by the group key", async () => {
    let groups = 0;
    for (const [name, shown, span] of cases()) {
      for (const by of GROUPINGS) {
        const { items, from, to, total } = await get(shown, `/alerts/groups?by=${by}&${span}`);
        for (const { key, alerts, open, severities, sample_ids, occurrences } of items) {
          groups += 1;
          const listed = await get(
            shown,
            `/alerts?${by}=${encodeURIComponent(key)}&from=${from}&to=${to}&sort=-last_seen&limit=200`,
          );
          const sum = (pick: (alert: Json) => number) =>
            listed.items.reduce((all: number, alert: Json) => all + pick(alert), 0);
          expect([name, by, key, alerts, occurrences]).toEqual([
            name,
            by,
            key,
            listed.total,
            sum(({ occurrence_count }) => occurrence_count),
          ]);
          expect(open).toBe(sum(({ status }) => Number(["new", "triaged", "investigating"].includes(status))));
          expect(severities.high).toBe(sum(({ severity }) => Number(severity === "high")));
          expect(sample_ids).toEqual(listed.items.slice(0, 3).map(({ id }: Json) => id));
          expect(alerts).toBeLessThanOrEqual(total);
        }
      }
    }
    expect(groups).toBeGreaterThan(8);
  });

  it("returns the largest groups and requires a field to group by", async () => {
    const { items } = await get(app, "/alerts/groups?by=host&limit=1");
    expect(items.map(({ key, alerts, label }: Json) => [key, alerts, label])).toEqual([["ws-1", 12, "Finding 21"]]);
    expect((await app.inject({ url: "/api/v1/alerts/groups" })).json().detail).toMatch(/^by/);
    expect((await app.inject({ url: "/api/v1/alerts/groups?by=title" })).json().detail).toMatch(/^by/);
  });
});

it("counts the newest alerts when there are many and marks the answer as partial", async () => {
  const store = createAlertSummariesStore(platform.db, 10);
  const { items, total } = await get(app, "/alerts?sort=-last_seen");
  const span = { from: new Date(Date.parse(items.at(-1).last_seen) - 1000), to: new Date(Date.now() + 60_000) };
  const wanted = { filters: { from: span.from.toISOString(), to: span.to.toISOString() }, span };
  const summary = await store.summarise(ALL_SITES, { ...wanted, fields: ["source"], interval_s: 60 });
  expect([summary.is_partial, summary.is_estimate]).toEqual([true, true]);
  expect(summary.total).toBeGreaterThan(10);
  expect(summary.covered_from?.toISOString()).toBe(items[9].last_seen);
  const newest = items.slice(0, 10).filter(({ source }: Json) => source === "ids").length;
  expect(summary.facets.source?.find(({ value }) => value === "ids")?.count).toBe(newest);
  const groups = await store.group(ALL_SITES, { ...wanted, by: "host", limit: 50 });
  expect(groups).toMatchObject({ is_partial: true, covered_from: summary.covered_from });
  expect(
    groups.items
      .flatMap(({ sample_ids }) => sample_ids)
      .every((id) => items.slice(0, 10).some((alert: Json) => alert.id === id)),
  ).toBe(true);
  expect(total).toBe(24);
});

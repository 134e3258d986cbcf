import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testPlatform } from "../../../testing/harness/feature-app.ts";
import { askAs, signIn } from "../../../testing/harness/sample-world.ts";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import type { SendRequest } from "../../../testing/harness/world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { toRow } from "../../alerts/alerts/alert.ts";
import { ENTITY_TYPES } from "../../alerts/entities/entities.schema.ts";
import { createEntitiesStore, createShowcaseEntities } from "../../alerts/entities/entities.store.ts";
import { listEntities } from "../../alerts/entities/entity.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";

type Json = ReturnType<typeof JSON.parse>;
type Platform = Awaited<ReturnType<typeof wholePlatform>>;

const HASH = "d41d8cd98f00b204e9800998ecf8427e";
let real: Platform;
let dummy: Platform;
let admin: SendRequest;
let shown: SendRequest;

beforeAll(async () => {
  real = await wholePlatform("real", (await freshDatabase()).url);
  dummy = await wholePlatform("dummy");
  admin = askAs(real.app, await signIn(real.app));
  shown = askAs(dummy.app, await signIn(dummy.app));
  const report = (title: string, fields: object) => add("/alerts", { title, source: "edr", ...fields });
  await report("Beacon", { severity: "critical", host: "WS1", user: "CORP\\alice", iocs: ["198.51.100.7", HASH] });
  await report("Scan", { severity: "low", host: "ws1.corp.example", user: "alice@corp", iocs: ["evil.example"] });
  await report("Logon", { severity: "high", host: "dc1", user: "alice" });
  const wrong = await report("Noise", { severity: "critical", host: "ws1" });
  await admin("PATCH", `/alerts/${wrong.id}`, { status: "false_positive" });
});

afterAll(async () => {
  await real.close();
  await dummy.close();
});

async function read(path: string, ask = admin, status = 200): Promise<Json> {
  const answered = await ask("GET", path);
  expect([path, answered.status, answered.status === status ? "" : answered.body]).toEqual([path, status, ""]);
  return JSON.parse(answered.body);
}

/** Retries while a busy machine omits more than the logs, whose engine never answers here. */
async function readWhole(path: string, ask = admin): Promise<Json> {
  for (let tries = 1; ; tries += 1) {
    const page = await read(path, ask);
    const isWhole = page.partial ? page.partial.every((part: string) => part === "logs") : !page.is_partial;
    if (tries === 50 || isWhole) return page;
  }
}

async function add(path: string, payload: object): Promise<Json> {
  return JSON.parse((await admin("POST", path, payload)).body);
}

describe("entity pages", () => {
  it.each(["WS1", "ws1.corp.example"])("treat %s as the same host", async (name) => {
    const page = await readWhole(`/entities/host/${name}`);
    expect(page).toMatchObject({
      entity: { type: "host", value: "ws1" },
      // 40 + 3 points; the false positive has none: 100 × (1 − e^(−43/60)) = 51.2
      risk: { score: 51, level: "medium", reasons: [{ name: "Beacon", points: 40, decayed: 40 }, { name: "Scan" }] },
      alerts: { total: 3, by_severity: { critical: 2, low: 1 } },
      cases: [],
      endpoint: null,
      device: null,
      iocs: [],
      logs: null,
      is_partial: true,
    });
    expect(page.partial).toContain("logs");
    expect(page.aliases.toSorted()).toEqual(["WS1", "ws1", "ws1.corp.example"]);
    expect(page.related).toContainEqual({ type: "user", value: "alice", count: 2, via: "alert" });
    expect(page.related).toContainEqual({ type: "domain", value: "evil.example", count: 1, via: "alert" });
  });

  it.each([
    ["user/CORP%5Calice", "alice", 3],
    ["user/alice@corp", "alice", 3],
    ["address/198.51.100.7", "198.51.100.7", 1],
    [`hash/${HASH.toUpperCase()}`, HASH, 1],
    ["domain/EVIL.example", "evil.example", 1],
    ["host/unknown", "unknown", 0],
  ])("find the entity as %s", async (path, value, total) => {
    const page = await read(`/entities/${path}`);
    expect(page).toMatchObject({ entity: { value }, alerts: { total } });
  });

  it("show only what the caller may read", async () => {
    const { key } = await add("/api-keys", { name: "narrow", scopes: ["alerts:read"] });
    const page = await readWhole("/entities/host/ws1", askAs(real.app, { "x-api-key": key }));
    expect(page).toMatchObject({
      cases: null,
      logs: null,
      endpoint: null,
      device: null,
      iocs: null,
      is_partial: false,
    });
  });

  it("list entities by risk", async () => {
    const hosts = await read("/entities?type=host&sort=-risk");
    expect(hosts.items.map(({ value, score }: Json) => [value, score])).toEqual([
      ["ws1", 51],
      ["dc1", 28],
    ]);
    expect(hosts).toMatchObject({ total: 2, is_partial: false });
    expect((await read("/entities?type=host&q=DC")).items).toMatchObject([{ value: "dc1", alerts: 1 }]);
    expect((await read("/entities?type=hash")).items).toMatchObject([{ value: HASH }]);
    expect((await read("/entities?type=domain")).items).toMatchObject([{ value: "evil.example" }]);
  });

  it("show the entity as a node of a graph", async () => {
    const near = await read("/entities/graph?seed=host:WS1");
    const ids = (graph: Json) => graph.nodes.map(({ id }: Json) => id).toSorted();
    expect(ids(near)).toEqual([
      "address:198.51.100.7",
      "domain:evil.example",
      `hash:${HASH}`,
      "host:ws1",
      "user:alice",
    ]);
    expect(near.edges).toContainEqual(expect.objectContaining({ from: "host:ws1", to: "user:alice", count: 2 }));
    expect(ids(await readWhole("/entities/graph?seed=host:ws1&depth=2"))).toContain("host:dc1");
    expect((await read("/entities/graph?seed=host:none")).nodes).toMatchObject([{ id: "host:none", alerts: 0 }]);
  });

  it.each([
    ["/entities/planet/mars", "type"],
    ["/entities/address/mars", "value: must be an IP address"],
    ["/entities", "type"],
    ["/entities/graph?seed=mars", "seed: must begin with one of host, user, address, domain, hash and a colon"],
    ["/entities/graph?seed=host:ws1&depth=3", "depth"],
  ])("refuse %s", async (path, detail) => {
    expect((await read(path, admin, 400)).detail).toContain(detail);
  });

  it("come from the showcase without a database", async () => {
    const { items } = await read("/entities?type=host", shown);
    expect(items.length).toBeGreaterThan(0);
    const page = await read(`/entities/host/${items[0].value}`, shown);
    expect(page.risk.score).toBe(items[0].score);
    expect(page.alerts.total).toBe(items[0].alerts);
    expect((await read(`/entities/graph?seed=host:${items[0].value}&depth=2`, shown)).nodes.length).toBeGreaterThan(1);
  });
});

describe("entities in the database", () => {
  it("equal those of the showcase in memory", async () => {
    const platform = await testPlatform("real");
    expect(await platform.runtime.truth()).toBeDefined();
    const now = new Date();
    const { alerts } = buildShowcase(now);
    await platform.db
      .insertInto("alerts")
      .values(alerts.map(toRow).map((row) => ({ ...row, case_id: null })))
      .execute();
    await sql`ANALYZE alerts`.execute(platform.db);
    const span = { from: new Date(now.getTime() - 30 * 86_400_000), to: new Date(now.getTime() + 1) };
    const [stored, inMemory] = [createEntitiesStore(platform.db), createShowcaseEntities(alerts)];
    for (const type of ENTITY_TYPES) {
      const count = async (store: typeof stored) => {
        const sums = new Map<string, number>();
        for (const { value, count: each } of (await store.count(ALL_SITES, type, span)).facts) {
          sums.set(value, (sums.get(value) ?? 0) + each);
        }
        return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
      };
      expect([type, await count(stored)]).toEqual([type, await count(inMemory)]);
    }
    const known = new Map(alerts.flatMap(listEntities).map((entity) => [`${entity.type} ${entity.value}`, entity]));
    for (const entity of [...known.values()].slice(0, 40)) {
      const ids = async (store: typeof stored) =>
        (await store.find(ALL_SITES, entity, span, 1000)).alerts.map(({ id }) => id).toSorted();
      expect([entity, await ids(stored)]).toEqual([entity, await ids(inMemory)]);
    }
    await platform.close();
  });
});

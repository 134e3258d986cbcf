import { afterEach, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { leaveSite } from "../users/users.feature.ts";
import { sitesRoutes } from "./sites.routes.ts";
import { createSitesService } from "./sites.service.ts";
import { createShowcaseSitesStore, createSitesStore } from "./sites.store.ts";
import { topologyRoutes } from "./topology.routes.ts";
import { createTopologyService } from "./topology.service.ts";

const MACHINE = { deployment_mode: "one_box", hostname: "soc-1", platform: "linux" } as const;
const PUMPS = { name: "Pumping hall", profile: { asset_classes: ["ot", "iot"], floors: 2, contact: { phone: "112" } } };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let platform: TestPlatform;
let usedSites: string[];

async function start(mode: Mode, database: "fresh" | "none" = "fresh") {
  platform = await testPlatform(mode, database);
  usedSites = [];
  const { db, runtime, ids, changes, clock } = platform;
  const showcase = createShowcaseSitesStore(buildShowcase(clock.now()).sites);
  const stores = { database: createSitesStore(db), showcase };
  const isInUse = async (_tx: unknown, id: string) => usedSites.includes(id);
  const sites = createSitesService({ runtime, stores, audit: createAuditStore(ids), ids, isInUse, leaveSite });
  const topology = createTopologyService({ machine: MACHINE, runtime, sites });
  return featureApp(platform, sitesRoutes(sites, changes), topologyRoutes(topology));
}
type App = Awaited<ReturnType<typeof start>>;

const create = (app: App, payload: object) => app.inject({ method: "POST", url: "/api/v1/sites", payload });
const remove = (app: App, id: string) => app.inject({ method: "DELETE", url: `/api/v1/sites/${id}` });

const countStatus = (answers: { statusCode: number }[], status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length;

afterEach(() => platform.close());

describe("the sites routes", () => {
  it("stores a site with its whole profile, with the audit entry and event in the same transaction", async () => {
    const app = await start("real");
    const created = await create(app, { ...PUMPS, id: "mine", unknown: true });
    expect(created.statusCode).toBe(201);
    expect(created.json()).toEqual({ id: expect.stringMatching(UUID), ...PUMPS });
    const { id } = created.json();
    expect((await app.inject("/api/v1/sites")).json()).toEqual({
      items: [{ id, ...PUMPS }],
      total: 1,
      skip: 0,
      limit: 50,
      next_cursor: null,
    });
    const entries = await platform.db.selectFrom("audit_log").selectAll().execute();
    expect(entries).toMatchObject([{ actor: "admin", action: "site.created", subject_type: "site", subject_id: id }]);
    const events = await platform.db.selectFrom("outbox").selectAll().execute();
    expect(events).toMatchObject([{ type: "site.created", subject_id: id }]);
  });

  it("accepts any asset class, and none without a profile", async () => {
    const app = await start("real");
    const plant = await create(app, { name: "Plant", profile: { asset_classes: ["scada"] } });
    expect([plant.statusCode, plant.json().profile]).toEqual([201, { asset_classes: ["scada"] }]);
    for (const [name, given] of [
      ["Bare", {}],
      ["Empty", { profile: {} }],
      ["Null", { profile: null }],
    ] as const) {
      const made = await create(app, { name, ...given });
      expect([name, made.statusCode, made.json().profile]).toEqual([name, 201, { asset_classes: [] }]);
    }
  });

  it("refuses an invalid site and names the field", async () => {
    const app = await start("real");
    const refusals: [object, RegExp][] = [
      [{ profile: PUMPS.profile }, /^name: is required$/],
      [{ name: "", profile: PUMPS.profile }, /^name: must be a text of 1 to 200 characters$/],
      [{ name: "a\u0000b", profile: PUMPS.profile }, /^name: /],
      [{ name: "X", profile: "it" }, /^profile: must be an object$/],
      [{ name: "X", profile: { asset_classes: [""] } }, /^profile.asset_classes.0: must be a text of 1 to 100 /],
      [{ name: "X", profile: { asset_classes: Array(51).fill("it") } }, /^profile.asset_classes: must be a list of /],
      [{ name: "X", profile: { asset_classes: [], note: "\u0000" } }, /^profile: /],
      [
        { name: "X", profile: { asset_classes: [], note: "é".repeat(32_768) } },
        /^profile: must be at most 65536 bytes$/,
      ],
    ];
    for (const [payload, why] of refusals) {
      const refused = await create(app, payload);
      expect(refused.statusCode).toBe(400);
      expect(refused.json().detail).toMatch(why);
    }
  });

  it("creates one of twenty concurrent sites with the same name", async () => {
    const app = await start("real");
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(app, PUMPS)));
    expect(countStatus(answers, 201)).toBe(1);
    expect(countStatus(answers, 409)).toBe(19);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json()).toEqual({ detail: "name: site 'Pumping hall' already exists" });
  });

  it("deletes a site once, and never while it is in use", async () => {
    const app = await start("real");
    const { id } = (await create(app, PUMPS)).json();
    usedSites = [id];
    const refused = await remove(app, id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({ detail: "site 'Pumping hall' still has agents or devices" });
    usedSites = [];
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(app, id)));
    expect(countStatus(answers, 200)).toBe(1);
    expect(countStatus(answers, 404)).toBe(4);
    expect(answers.find(({ statusCode }) => statusCode === 200)?.json()).toEqual({ deleted: true, id });
    expect((await remove(app, "nope")).json()).toEqual({ detail: "site 'nope' does not exist" });
    const actions = await platform.db.selectFrom("audit_log").select("action").orderBy("at").execute();
    expect(actions.map(({ action }) => action)).toEqual(["site.created", "site.deleted"]);
  });

  it("returns pages by name, by skip and by a cursor that does not shift", async () => {
    const app = await start("real");
    for (const name of ["D", "A", "C", "B", "E"]) await create(app, { ...PUMPS, name });
    const names = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);
    const first = (await app.inject("/api/v1/sites?limit=2")).json();
    expect(names(first)).toEqual(["A", "B"]);
    expect(first.total).toBe(5);
    await create(app, { ...PUMPS, name: "AA" });
    const second = (await app.inject(`/api/v1/sites?limit=2&cursor=${first.next_cursor}`)).json();
    expect(names(second)).toEqual(["C", "D"]);
    expect(names((await app.inject("/api/v1/sites?limit=2&skip=4")).json())).toEqual(["D", "E"]);
    expect((await app.inject("/api/v1/sites?limit=201")).statusCode).toBe(400);
    expect((await app.inject("/api/v1/sites?cursor=nonsense")).statusCode).toBe(400);
    const withNul = Buffer.from(JSON.stringify(["name", "\u0000"])).toString("base64url");
    expect((await app.inject(`/api/v1/sites?cursor=${withNul}`)).statusCode).toBe(400);
  });

  it("returns a preview in dry_run and stores nothing", async () => {
    const app = await start("dry_run");
    const preview = await create(app, PUMPS);
    expect(preview.statusCode).toBe(200);
    expect(preview.json()).toEqual({ dry_run: true, preview: { id: expect.stringMatching(UUID), ...PUMPS } });
    expect((await app.inject("/api/v1/sites")).json().total).toBe(0);
    expect(await platform.db.selectFrom("audit_log").selectAll().execute()).toEqual([]);
    const site = { id: platform.ids.next(), ...PUMPS, profile: { asset_classes: ["ot"] as ["ot"] } };
    await platform.db.insertInto("sites").values(site).execute();
    expect((await remove(app, site.id)).json()).toEqual({ dry_run: true, preview: { deleted: true, id: site.id } });
    expect((await app.inject("/api/v1/sites")).json().total).toBe(1);
  });

  it("allows changes to administrators only", async () => {
    const app = await start("real");
    const headers = { "x-role": "manager" };
    expect((await app.inject({ url: "/api/v1/sites", headers })).statusCode).toBe(200);
    const refused = await app.inject({ method: "POST", url: "/api/v1/sites", headers, payload: PUMPS });
    expect(refused.statusCode).toBe(403);
  });
});

describe("the sites routes without a database", () => {
  it("returns the showcase in dummy mode and changes nothing", async () => {
    const app = await start("dummy", "none");
    const listed = (await app.inject("/api/v1/sites?limit=2")).json();
    expect(listed).toMatchObject({ total: 3, items: [{ name: "Head office" }, { name: "Learning centre" }] });
    const rest = (await app.inject(`/api/v1/sites?cursor=${listed.next_cursor}`)).json();
    expect(rest).toMatchObject({ items: [{ name: "Waterworks" }], next_cursor: null });
    const refused = await create(app, PUMPS);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toEqual({ detail: "Runtime mode 'dummy' blocks this change" });
  });

  it.each(["dry_run", "real"] as const)("answers 503 in %s", async (mode) => {
    const app = await start(mode, "none");
    expect((await app.inject("/api/v1/sites")).statusCode).toBe(503);
    expect((await create(app, PUMPS)).statusCode).toBe(503);
    expect((await app.inject("/api/v1/system/topology")).statusCode).toBe(503);
  });
});

describe("GET /system/topology", () => {
  it("describes the deployment with all sites", async () => {
    const app = await start("real");
    const { id } = (await create(app, PUMPS)).json();
    const answered = await app.inject({ url: "/api/v1/system/topology", headers: { "x-role": "auditor" } });
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({ ...MACHINE, runtime_mode: "real", sites: [{ id, ...PUMPS }] });
  });

  it("returns the sites of the showcase in dummy mode without a database", async () => {
    const app = await start("dummy", "none");
    const { runtime_mode, sites } = (await app.inject("/api/v1/system/topology")).json();
    expect(runtime_mode).toBe("dummy");
    expect(sites).toHaveLength(3);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { buildShowcaseIocs } from "../../demo/iocs.ts";
import { buildShowcaseLogs } from "../../demo/logs.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { createBodies } from "../../logs/intake/formats/body.ts";
import { createIocHitsService } from "./ioc-hits.service.ts";
import { createIocActions } from "./iocs.actions.ts";
import { iocsRoutes } from "./iocs.routes.ts";
import { createIocsService } from "./iocs.service.ts";
import { createIocsStore, createShowcaseIocsStore } from "./iocs.store.ts";
import { createIocsExchange } from "./iocs-exchange.ts";

let platform: TestPlatform;
let iocs: ReturnType<typeof createIocsService>;

async function start(mode: Mode, database: "fresh" | "none" = "fresh") {
  platform = await testPlatform(mode, database);
  const { db, runtime, ids, changes, clock } = platform;
  const now = clock.now();
  const stores = {
    database: createIocsStore(db),
    showcase: createShowcaseIocsStore(buildShowcaseIocs(now, buildShowcaseLogs(now).logs)),
  };
  iocs = createIocsService({ runtime, stores, audit: createAuditStore(ids), clock });
  const exchange = createIocsExchange({ iocs, clock, ids });
  return featureApp(platform, iocsRoutes({ iocs, exchange, bodies: createBodies({ clock }), changes }));
}
type App = Awaited<ReturnType<typeof start>>;

const create = (app: App, payload: object) => app.inject({ method: "POST", url: "/api/v1/iocs", payload });
const get = (app: App, path: string) => app.inject(`/api/v1/iocs${path}`);
const send = (app: App, format: string, payload: object, query = "") =>
  app.inject({
    method: "POST",
    url: `/api/v1/iocs/import?format=${format}${query}`,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify(payload),
  });

afterEach(() => platform.close());

describe("the indicator API", () => {
  it("stores an indicator with all its fields and merges a repetition into it", async () => {
    const app = await start("real");
    const first = await create(app, {
      value: "hxxp://Evil[.]net/a",
      confidence: 70,
      tags: ["b", "a"],
      first_seen: "2026-01-02T03:04:05Z",
      unknown: true,
    });
    expect(first.statusCode).toBe(201);
    const created = first.json();
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "url",
      value: "http://evil.net/a",
      confidence: 70,
      severity: "medium",
      source: "admin",
      tags: ["a", "b"],
      tlp: "clear",
      first_seen: "2026-01-02T03:04:05.000Z",
      last_seen: expect.any(String),
      expires_at: null,
      hits: 0,
    });
    const again = await create(app, { value: "http://evil.net/a", confidence: 30, severity: "high", tags: ["c"] });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toMatchObject({ id: created.id, confidence: 70, severity: "high", tags: ["a", "b", "c"] });
    expect(again.json().first_seen).toBe(created.first_seen);
    expect(again.json().last_seen > created.last_seen).toBe(true);
    expect((await get(app, `/${created.id}`)).json()).toEqual({
      ...again.json(),
      searched_at: null,
      search_is_capped: false,
    });
    const entries = await platform.db.selectFrom("audit_log").select(["action", "subject_id"]).orderBy("at").execute();
    expect(entries).toEqual([
      { action: "ioc.created", subject_id: created.id },
      { action: "ioc.merged", subject_id: created.id },
    ]);
  });

  it("stores one indicator in twenty concurrent requests", async () => {
    const app = await start("real");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => create(app, { value: "5.6.7.8", tags: [`t${n}`] })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(19);
    const { items, total } = (await get(app, "")).json();
    expect(total).toBe(1);
    expect(items[0].tags).toHaveLength(20);
  });

  it("refuses values that are not indicators, and values on a warning list unless forced", async () => {
    const app = await start("real");
    const refusals: [object, RegExp][] = [
      [{}, /^value: is required$/],
      [{ value: "nonsense" }, /^value: 'nonsense' is not an indicator of a known type/],
      [{ value: "5.6.7.8", type: "domain" }, /^value: '5\.6\.7\.8' is not a domain/],
      [{ value: "5.6.7.8", type: "mutex" }, /^type: must be one of ipv4, /],
      [{ value: "5.6.7.8", confidence: 101 }, /^confidence: /],
      [{ value: "5.6.7.8", tlp: "white" }, /^tlp: must be one of clear, /],
      [{ value: "5.6.7.8", first_seen: "2026-02-01T00:00:00Z", last_seen: "2026-01-01T00:00:00Z" }, /^last_seen: /],
      [{ value: "10.0.0.1" }, /^value: '10\.0\.0\.1' is a private network; send force: true/],
      [{ value: "5.6.7.8", tags: ["\0"] }, /^tags: /],
    ];
    for (const [payload, why] of refusals) {
      const refused = await create(app, payload);
      expect(refused.statusCode).toBe(400);
      expect(refused.json().detail).toMatch(why);
    }
    expect((await create(app, { value: "10.0.0.1", force: true })).statusCode).toBe(201);
  });

  it("lists by every filter and pages without drift", async () => {
    const app = await start("real");
    await create(app, { value: "5.6.7.8", source: "feed", severity: "high", tags: ["c2"] });
    await create(app, {
      value: "evil-domain.net",
      expires_at: "2026-01-01T00:00:00Z",
      first_seen: "2025-01-01T00:00:00Z",
    });
    await create(app, { value: "5.6.0.0/16" });
    const listValues = async (query: string) =>
      (await get(app, query)).json().items.map(({ value }: { value: string }) => value);
    expect(await listValues("")).toEqual(["5.6.0.0/16", "evil-domain.net", "5.6.7.8"]);
    expect(await listValues("?type=cidr")).toEqual(["5.6.0.0/16"]);
    expect(await listValues("?value=Evil-Domain[.]net")).toEqual(["evil-domain.net"]);
    expect(await listValues("?q=L-DOM")).toEqual(["evil-domain.net"]);
    expect(await listValues("?source=feed")).toEqual(["5.6.7.8"]);
    expect(await listValues("?tag=c2")).toEqual(["5.6.7.8"]);
    expect(await listValues("?severity=high")).toEqual(["5.6.7.8"]);
    expect(await listValues("?active=true")).toEqual(["5.6.0.0/16", "5.6.7.8"]);
    expect(await listValues("?active=false")).toEqual(["evil-domain.net"]);
    const page = (await get(app, "?limit=2")).json();
    expect(page).toMatchObject({ total: 3, skip: 0, limit: 2, next_cursor: expect.any(String) });
    await create(app, { value: "5.6.7.9" });
    expect(await listValues(`?limit=2&cursor=${page.next_cursor}`)).toEqual(["5.6.7.8"]);
    expect((await get(app, "?limit=201")).statusCode).toBe(400);
    expect((await get(app, "?cursor=nonsense")).statusCode).toBe(400);
  });

  it("deletes an indicator once", async () => {
    const app = await start("real");
    const { id } = (await create(app, { value: "5.6.7.8" })).json();
    const remove = (which: string) => app.inject({ method: "DELETE", url: `/api/v1/iocs/${which}` });
    expect((await remove(id)).json()).toEqual({ deleted: true, id });
    for (const gone of [id, "nope"]) {
      expect((await remove(gone)).json()).toEqual({ detail: `ioc '${gone}' does not exist` });
      expect((await get(app, `/${gone}`)).statusCode).toBe(404);
      expect((await get(app, `/${gone}/hits`)).statusCode).toBe(404);
    }
  });

  it("stores several in one request and reports each refused one", async () => {
    const app = await start("real");
    await create(app, { value: "5.6.7.8" });
    const payload = {
      items: [{ value: "5.6.7.8" }, { value: "5.6.7.9" }, { value: "5.6.7.9" }, { value: "10.0.0.1" }],
    };
    const answered = await app.inject({ method: "POST", url: "/api/v1/iocs/bulk", payload });
    expect(answered.json()).toEqual({
      created: 1,
      merged: 1,
      refused: [{ object: 3, id: "10.0.0.1", reason: expect.stringContaining("a private network") }],
    });
  });

  it.each(["stix", "misp"])("exports as %s what it imported", async (format) => {
    const app = await start("real");
    const given = [
      { value: "5.6.7.8", confidence: 90, tags: ["c2"], tlp: "red", severity: "critical", source: "feed" },
      { value: "evil-domain.net", expires_at: "2030-01-01T00:00:00.000Z" },
      { value: "275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f" },
    ];
    for (const each of given) await create(app, each);
    const before = (await get(app, "")).json();
    const exported = await get(app, `/export?format=${format}`);
    expect(exported.statusCode).toBe(200);
    await platform.close();
    const other = await start("real");
    const imported = await send(other, format, exported.json());
    expect(imported.json()).toEqual({ created: 3, merged: 0, refused: [] });
    const listed = (await get(other, "")).json();
    expect(listed.items).toEqual(before.items);
    expect((await send(other, format, exported.json())).json()).toEqual({ created: 0, merged: 3, refused: [] });
  });

  it("imports ten thousand indicators and reports the position of each invalid object", async () => {
    const app = await start("real");
    const indicators = Array.from({ length: 9999 }, (_, n) => ({
      type: "indicator",
      id: `indicator--${n}`,
      pattern: `[domain-name:value = 'd${n}.net']`,
      pattern_type: "stix",
    }));
    const objects = [...indicators, { type: "indicator", id: "x", pattern: "[file:name = 'a']", pattern_type: "stix" }];
    const answered = await send(app, "stix", { type: "bundle", id: "bundle--1", objects });
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({
      created: 9999,
      merged: 0,
      refused: [{ object: 9999, id: "x", reason: "pattern: 'file:name' is not supported" }],
    });
    expect((await send(app, "stix", { type: "bundle", objects: [...objects, {}] })).statusCode).toBe(400);
    expect((await send(app, "csv", {})).statusCode).toBe(400);
  });

  it("deletes indicators that expired long ago", async () => {
    const app = await start("real");
    await create(app, { value: "5.6.7.8", first_seen: "2024-01-01T00:00:00Z", expires_at: "2025-01-01T00:00:00Z" });
    await create(app, { value: "5.6.7.9" });
    const { db, clock, ids } = platform;
    const alerts = { create: () => Promise.reject(new Error("unexpected alert")) };
    await createIocHitsService({ db, alerts, clock, ids }).sweep();
    expect((await get(app, "")).json().items).toMatchObject([{ value: "5.6.7.9" }]);
  });

  it("offers the indicator API as a playbook action", async () => {
    const app = await start("real");
    const [add] = createIocActions({ iocs, clock: platform.clock });
    if (!add) throw new Error("no action");
    const context = {
      execution_id: "e",
      playbook_id: "malicious-address",
      step_id: "s",
      scope: ALL_SITES,
      actor: "yusuf.karim",
      alert_id: null,
      case_id: null,
    };
    const params = { value: "5[.]6[.]7[.]8", severity: "high" };
    expect(await add.describe(params, context)).toEqual({
      summary: "Adds the ipv4 5.6.7.8 to the known indicators",
      sends: [],
    });
    const running = { ...context, idempotencyKey: "e:s:0", signal: platform.clock.deadline(1000) };
    const done = await platform.db.transaction().execute((tx) => add.apply(tx, params, running));
    expect(done).toMatchObject({ type: "ipv4", value: "5.6.7.8", is_new: true });
    expect((await get(app, "")).json().items).toMatchObject([{ source: "malicious-address", severity: "high" }]);
    expect(await add.describe({ value: "10.0.0.1" }, context)).toEqual({
      summary: expect.stringMatching(/^Adds no indicator: value: '10\.0\.0\.1' is a private network/),
      sends: [],
    });
    const refused = platform.db.transaction().execute((tx) => add.apply(tx, {}, running));
    await expect(refused).rejects.toThrow(/^params: /);
  });
});

describe("the indicator API in other modes", () => {
  it("previews the change in dry_run and stores nothing", async () => {
    const app = await start("dry_run");
    const preview = await create(app, { value: "5.6.7.8" });
    expect(preview.statusCode).toBe(200);
    expect(preview.json()).toMatchObject({ dry_run: true, preview: { value: "5.6.7.8" } });
    const objects = [{ type: "indicator", pattern: "[ipv4-addr:value = '5.6.7.8']" }];
    expect((await send(app, "stix", { type: "bundle", objects })).json()).toMatchObject({
      dry_run: true,
      preview: { created: 1 },
    });
    expect((await get(app, "")).json().total).toBe(0);
    expect(await platform.db.selectFrom("audit_log").selectAll().execute()).toEqual([]);
  });

  it("shows the showcase in dummy mode with the logs of the story, and changes nothing", async () => {
    const app = await start("dummy", "none");
    const { items, total } = (await get(app, "?active=true")).json();
    expect(total).toBe(10);
    for (const { id, hits, value } of items) {
      const listed = (await get(app, `/${id}/hits`)).json();
      expect(listed.total).toBe(hits);
      if (value !== "44d88612fea8a8f36de82e1278abb02f") expect(hits).toBeGreaterThan(0);
    }
    const exported = (await get(app, "/export?format=stix&type=domain")).json();
    expect(exported.objects.filter(({ type }: { type: string }) => type === "indicator")).toHaveLength(3);
    expect((await create(app, { value: "5.6.7.8" })).statusCode).toBe(403);
  });

  it("answers 503 without a database in real mode, and 403 without permission", async () => {
    const app = await start("real", "none");
    expect((await get(app, "")).statusCode).toBe(503);
    const headers = { "x-role": "tier1" };
    const refused = await app.inject({ method: "POST", url: "/api/v1/iocs", headers, payload: { value: "5.6.7.8" } });
    expect(refused.statusCode).toBe(403);
  });
});

describe("checking values before storing them", () => {
  it("reports new, known, warned and invalid values, and stores nothing", async () => {
    const app = await start("real");
    const { id } = (await create(app, { value: "evil.net" })).json();
    const values = ["hxxp://bad[.]evil[.]net/x", "EVIL[.]net", "10.1.2.3", "hello"];
    const checked = await app.inject({ method: "POST", url: "/api/v1/iocs/check", payload: { values } });
    expect(checked.json()).toEqual({
      items: [
        { given: values[0], state: "new", type: "url", value: "http://bad.evil.net/x", reason: null, id: null },
        { given: values[1], state: "known", type: "domain", value: "evil.net", reason: null, id },
        { given: values[2], state: "warned", type: "ipv4", value: "10.1.2.3", reason: "a private network", id: null },
        {
          given: values[3],
          state: "refused",
          type: null,
          value: null,
          reason: expect.stringContaining("is not an indicator"),
          id: null,
        },
      ],
    });
    expect((await get(app, "")).json().total).toBe(1);
  });

  it("recognises the indicators of the showcase", async () => {
    const app = await start("dummy", "none");
    const [first] = (await get(app, "")).json().items;
    const checked = await app.inject({ method: "POST", url: "/api/v1/iocs/check", payload: { values: [first.value] } });
    expect(checked.json().items).toMatchObject([{ state: "known", id: first.id }]);
  });
});

describe("changing an indicator", () => {
  const patch = (app: App, id: string, payload: object) =>
    app.inject({ method: "PATCH", url: `/api/v1/iocs/${id}`, payload });

  it("can bring the expiry of an indicator forward, which a repeated report cannot", async () => {
    const app = await start("real");
    const { id } = (await create(app, { value: "evil.net", expires_at: "2030-01-01T00:00:00Z", tags: ["a"] })).json();
    const again = await create(app, { value: "evil.net", expires_at: "2027-06-01T00:00:00Z" });
    expect(again.json().expires_at).toBe("2030-01-01T00:00:00.000Z");
    const changed = await patch(app, id, { expires_at: "2027-01-01T00:00:00Z", severity: "low", tags: ["b", "b"] });
    expect(changed.statusCode).toBe(200);
    expect(changed.json()).toMatchObject({ expires_at: "2027-01-01T00:00:00.000Z", severity: "low", tags: ["b"] });
    expect((await get(app, `/${id}`)).json()).toEqual(changed.json());
    expect((await patch(app, id, { expires_at: null })).json().expires_at).toBeNull();
    const audited = await platform.db.selectFrom("audit_log").select("action").where("subject_id", "=", id).execute();
    expect(audited.map(({ action }) => action)).toEqual(["ioc.created", "ioc.merged", "ioc.updated", "ioc.updated"]);
  });

  it("refuses an empty change, an invalid time and an unknown id", async () => {
    const app = await start("real");
    const { id } = (await create(app, { value: "evil.net" })).json();
    expect((await patch(app, id, {})).statusCode).toBe(400);
    expect((await patch(app, id, { expires_at: "soon" })).statusCode).toBe(400);
    expect((await patch(app, "758d4427-9794-5dfc-918a-98101ae70d5f", { severity: "low" })).statusCode).toBe(404);
  });

  it("returns a preview in dry_run", async () => {
    const app = await start("dry_run");
    await platform.db
      .insertInto("iocs")
      .values({
        id: "758d4427-9794-5dfc-918a-98101ae70d5f",
        type: "domain",
        value: "evil.net",
        confidence: 50,
        severity: "high",
        source: "a test",
        tags: [],
        tlp: "clear",
        first_seen: platform.clock.now(),
        last_seen: platform.clock.now(),
        expires_at: null,
        hits: 0,
        searched_at: null,
        search_is_capped: false,
        created_at: platform.clock.now(),
        updated_at: platform.clock.now(),
      })
      .execute();
    const changed = await patch(app, "758d4427-9794-5dfc-918a-98101ae70d5f", { severity: "low" });
    expect(changed.json()).toMatchObject({ dry_run: true, preview: { severity: "low" } });
    expect((await get(app, "/758d4427-9794-5dfc-918a-98101ae70d5f")).json().severity).toBe("high");
  });
});

import { createClock } from "@kit/clock";
import { afterEach, describe, expect, it } from "vitest";
import { edrParts } from "../../../testing/harness/edr-parts.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { startScriptedAdapter } from "../../../testing/servers/edr-adapter.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { edrRoutes } from "./edr.routes.ts";
import type { EdrAdapterSettings } from "./edr-adapter.ts";

const LAPTOP = "019a1111-0000-7000-8000-000000000001";
const SERVER = "019a1111-0000-7000-8000-000000000002";
const CASE = "019a2222-0000-7000-8000-000000000001";
const HEARTBEAT = {
  hostname: "FIN-LT-014",
  ip: "192.0.2.14",
  os: "Windows 11",
  site: "Head office",
  agent_version: "7.4.1",
};
const MINUTE = 60_000;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface StartOptions {
  mode?: Mode;
  database?: "fresh" | "none";
  settings?: EdrAdapterSettings;
}

async function start({ mode = "real", database = "fresh", settings }: StartOptions = {}) {
  const platform: TestPlatform = await testPlatform(mode, database);
  closing.push(() => platform.close());
  let passedMs = 0;
  const clock = createClock();
  const now = () => new Date(platform.clock.now().getTime() + passedMs);
  const parts = await edrParts({ ...platform, clock: { ...clock, now } }, settings);
  const app = await featureApp(platform, edrRoutes(parts, platform.changes));
  const call = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, payload?: object, role = "admin") =>
    app.inject({
      method,
      url: `/api/v1/edr${path}`,
      headers: { "x-role": role },
      ...(payload === undefined ? {} : { payload }),
    });
  const sendHeartbeat = (id: string, payload: object) => call("PUT", `/endpoints/${id}`, payload);
  const get = async (path: string) => (await call("GET", path)).json();
  const pass = (ms: number) => {
    passedMs += ms;
  };
  return { ...platform, ...parts, call, sendHeartbeat, get, pass };
}

async function scripted(answer: Parameters<typeof startScriptedAdapter>[0]) {
  const adapter = await startScriptedAdapter(answer);
  closing.push(() => adapter.close());
  return adapter;
}

const done = () => ({ status: 200, body: { status: "completed" } });

describe("EDR endpoints", () => {
  it("registers with the first heartbeat and returns the last reported state", async () => {
    const { sendHeartbeat, get, db } = await start();
    const created = await sendHeartbeat(LAPTOP, { ...HEARTBEAT, unknown: 1 });
    expect(created.statusCode).toBe(201);
    const record = {
      id: LAPTOP,
      ...HEARTBEAT,
      status: "online",
      isolation: { desired: "normal", reported: "unknown" },
      last_seen: expect.any(String),
      risk: 0,
    };
    expect(created.json()).toEqual(record);
    const again = await sendHeartbeat(LAPTOP, { ip: "192.0.2.15", risk: 40, isolation: "normal" });
    expect(again.statusCode).toBe(200);
    const now = { ...record, ip: "192.0.2.15", risk: 40, isolation: { desired: "normal", reported: "normal" } };
    expect(await get(`/endpoints/${LAPTOP}`)).toEqual(now);
    await sendHeartbeat(LAPTOP, {});
    const entries = await db.selectFrom("audit_log").select(["actor", "action"]).orderBy("at").execute();
    expect(entries.map(({ action }) => action)).toEqual(["endpoint.registered", "endpoint.reported"]);
  });

  it("registers an endpoint once when several first heartbeats arrive concurrently", async () => {
    const { sendHeartbeat, get } = await start();
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendHeartbeat(LAPTOP, HEARTBEAT)));
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(9);
    expect((await get("/endpoints")).total).toBe(1);
  });

  it("refuses an invalid heartbeat and names the field", async () => {
    const { sendHeartbeat } = await start();
    const refusals: [string, object, RegExp][] = [
      [LAPTOP, { ip: "192.0.2.14" }, /^hostname: is required$/],
      ["laptop", HEARTBEAT, /^id: must be a UUID$/],
      [LAPTOP, { ...HEARTBEAT, risk: 101 }, /^risk: /],
      [LAPTOP, { ...HEARTBEAT, isolation: "pending" }, /^isolation: must be one of normal, isolated$/],
      [LAPTOP, { ...HEARTBEAT, os: "a\u0000" }, /^os: /],
      [LAPTOP, { ...HEARTBEAT, ip: "bad" }, /^ip: must be an IP address$/],
    ];
    for (const [id, said, why] of refusals) {
      const refused = await sendHeartbeat(id, said);
      expect(refused.statusCode).toBe(400);
      expect(refused.json().detail).toMatch(why);
    }
  });

  it("marks an endpoint as offline five minutes after its last heartbeat", async () => {
    const { sendHeartbeat, get, pass } = await start();
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    pass(5 * MINUTE - 1000);
    expect((await get(`/endpoints/${LAPTOP}`)).status).toBe("online");
    pass(2000);
    expect((await get(`/endpoints/${LAPTOP}`)).status).toBe("offline");
    expect((await get("/endpoints?status=offline")).total).toBe(1);
    expect((await get("/endpoints?status=online")).total).toBe(0);
    expect(await get("/stats")).toMatchObject({ total: 1, online: 0, offline: 1 });
  });
});

describe("endpoint hostnames", () => {
  it("refuses a second endpoint with the same hostname and keeps the first one reachable by name", async () => {
    const { sendHeartbeat, call, get, actions } = await start();
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    const refused = await sendHeartbeat(SERVER, { hostname: "fin-lt-014" });
    const detail = `hostname: 'fin-lt-014' is the name of endpoint '${LAPTOP}'; retire that endpoint first`;
    expect([refused.statusCode, refused.json()]).toEqual([409, { detail }]);
    await sendHeartbeat(SERVER, { hostname: "DC-01" });
    expect((await sendHeartbeat(SERVER, { hostname: "FIN-LT-014" })).statusCode).toBe(409);
    const command = { key: "k", requested_by: "amina", reason: null, case_id: null, release_after_minutes: null };
    expect(await actions.perform(ALL_SITES, "FIN-LT-014", { ...command, action: "isolate" })).toMatchObject({
      endpoint_id: LAPTOP,
      status: "recorded",
    });
    await call("POST", `/endpoints/${LAPTOP}/unisolate`);
    expect((await call("DELETE", `/endpoints/${LAPTOP}`)).json()).toEqual({ deleted: true, id: LAPTOP });
    expect((await sendHeartbeat(SERVER, { hostname: "FIN-LT-014" })).statusCode).toBe(200);
    expect((await get("/endpoints")).total).toBe(1);
  });

  it("assigns the hostname to one of several endpoints that register concurrently", async () => {
    const { sendHeartbeat, get, ids } = await start();
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendHeartbeat(ids.next(), HEARTBEAT)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, ...Array(7).fill(409)]);
    expect((await get("/endpoints")).total).toBe(1);
  });
});

describe("retired endpoints", () => {
  it("hides a retired endpoint, keeps its actions, and registers it again with the next heartbeat", async () => {
    const { sendHeartbeat, call, get } = await start();
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    await call("POST", `/endpoints/${LAPTOP}/scan`);
    expect((await call("DELETE", `/endpoints/${LAPTOP}`, undefined, "tier2")).statusCode).toBe(403);
    expect((await call("DELETE", `/endpoints/${LAPTOP}`)).statusCode).toBe(200);
    expect((await call("DELETE", `/endpoints/${LAPTOP}`)).statusCode).toBe(404);
    expect((await call("POST", `/endpoints/${LAPTOP}/isolate`)).statusCode).toBe(404);
    expect((await get("/endpoints")).total).toBe(0);
    expect(await get("/stats")).toMatchObject({ total: 0, by_os: {} });
    expect((await get("/actions")).items).toMatchObject([{ action: "scan", hostname: "FIN-LT-014" }]);
    expect((await sendHeartbeat(LAPTOP, HEARTBEAT)).statusCode).toBe(201);
    expect((await get("/endpoints")).total).toBe(1);
  });

  it("refuses to retire an isolated endpoint", async () => {
    const { sendHeartbeat, call } = await start();
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    await call("POST", `/endpoints/${LAPTOP}/isolate`);
    const refused = await call("DELETE", `/endpoints/${LAPTOP}`);
    const detail = `endpoint '${LAPTOP}' is isolated or has an action in flight, which must end first`;
    expect([refused.statusCode, refused.json()]).toEqual([409, { detail }]);
  });
});

describe("list of endpoints", () => {
  it("filters endpoints and keeps pages stable while endpoints are added", async () => {
    const { sendHeartbeat, get } = await start();
    await sendHeartbeat(LAPTOP, { ...HEARTBEAT, isolation: "isolated" });
    await sendHeartbeat(SERVER, { hostname: "FILE-SRV-02", ip: "192.0.2.102", os: "Debian 12", site: "Head office" });
    const names = async (query: string) => {
      const { items } = await get(`/endpoints?${query}`);
      return items.map(({ hostname }: { hostname: string }) => hostname);
    };
    expect(await names("os=Debian%2012")).toEqual(["FILE-SRV-02"]);
    expect(await names("site=Waterworks")).toEqual([]);
    expect(await names("isolation=isolated")).toEqual(["FIN-LT-014"]);
    expect(await names("isolation=unknown")).toEqual(["FILE-SRV-02"]);
    expect(await names("isolation=pending")).toEqual(["FIN-LT-014"]);
    expect(await names("q=srv")).toEqual(["FILE-SRV-02"]);
    expect(await names("q=192.0.2.14")).toEqual(["FIN-LT-014"]);
    const first = await get("/endpoints?limit=1");
    expect(first.items[0].hostname).toBe("FILE-SRV-02");
    await sendHeartbeat("019a1111-0000-7000-8000-000000000003", { hostname: "NEW" });
    expect(await names(`limit=1&cursor=${first.next_cursor}`)).toEqual(["FIN-LT-014"]);
    expect(await get("/stats")).toEqual({
      total: 3,
      online: 3,
      offline: 0,
      isolated: 1,
      pending_actions: 0,
      by_os: { "Windows 11": 1, "Debian 12": 1, unknown: 1 },
      by_site: { "Head office": 2, unknown: 1 },
      adapter: { configured: false, state: "none" },
    });
  });
});

describe("EDR actions", () => {
  it("records an action without an adapter and changes only the desired state", async () => {
    const { sendHeartbeat, call, get, db } = await start();
    await sendHeartbeat(LAPTOP, { ...HEARTBEAT, isolation: "normal" });
    const answered = await call(
      "POST",
      `/endpoints/${LAPTOP}/isolate`,
      { reason: "it spreads", case_id: CASE },
      "tier3",
    );
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({
      id: expect.any(String),
      action_id: expect.any(String),
      endpoint_id: LAPTOP,
      action: "isolate",
      status: "recorded",
      adapter: null,
      release_at: null,
    });
    expect((await get(`/endpoints/${LAPTOP}`)).isolation).toEqual({ desired: "isolated", reported: "normal" });
    const { items } = await get(`/endpoints/${LAPTOP}/actions`);
    expect(items).toMatchObject([
      { reason: "it spreads", case_id: CASE, requested_by: "tier3", hostname: "FIN-LT-014" },
    ]);
    const events = await db.selectFrom("outbox").select("type").orderBy("id").execute();
    expect(events.at(-1)?.type).toBe("endpoint.action_requested");
  });

  it("accepts an action without a body, but requires a permission", async () => {
    const { sendHeartbeat, call } = await start();
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    expect((await call("POST", `/endpoints/${LAPTOP}/scan`)).json()).toMatchObject({
      action: "scan",
      status: "recorded",
    });
    expect((await call("POST", `/endpoints/${LAPTOP}/scan`, {}, "manager")).statusCode).toBe(403);
    expect((await call("POST", `/endpoints/${SERVER}/scan`)).json()).toEqual({
      detail: `endpoint '${SERVER}' does not exist`,
    });
    const renamed = await call("POST", `/endpoints/${LAPTOP}/scan?action=isolate`, { release_after_minutes: 5 });
    expect(renamed.json()).toMatchObject({ action: "scan", status: "recorded" });
  });

  it("sets the reported state when the adapter completes the action", async () => {
    const adapter = await scripted(done);
    const { sendHeartbeat, call, get } = await start({ settings: adapter.settings });
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    const answered = await call("POST", `/endpoints/${LAPTOP}/isolate`, { reason: "it spreads" }, "responder");
    expect(answered.json()).toMatchObject({ status: "completed", adapter: "http" });
    expect((await get(`/endpoints/${LAPTOP}`)).isolation).toEqual({ desired: "isolated", reported: "isolated" });
    expect(adapter.received.map(({ body }) => JSON.parse(body))).toEqual([
      {
        action: "isolate",
        endpoint: { id: LAPTOP, hostname: "FIN-LT-014" },
        reason: "it spreads",
        case_id: null,
        requested_by: "responder",
      },
    ]);
    expect((await get("/stats")).adapter).toEqual({ configured: true, state: "closed" });
  });

  it("keeps an accepted action dispatched until the adapter confirms it, whatever the endpoint reports", async () => {
    let isDone = false;
    const adapter = await scripted(() => (isDone ? done() : { status: 202 }));
    const { sendHeartbeat, call, get, pass, worker } = await start({ settings: adapter.settings });
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    expect((await call("POST", `/endpoints/${LAPTOP}/isolate`)).json().status).toBe("dispatched");
    expect(await get("/stats")).toMatchObject({ pending_actions: 1, isolated: 0 });
    await sendHeartbeat(LAPTOP, { isolation: "isolated" });
    expect((await get(`/endpoints/${LAPTOP}/actions`)).items[0].status).toBe("dispatched");
    expect((await get(`/endpoints/${LAPTOP}`)).isolation).toEqual({ desired: "isolated", reported: "unknown" });
    expect(await get("/stats")).toMatchObject({ pending_actions: 1, isolated: 0 });
    isDone = true;
    pass(MINUTE);
    await worker.work();
    expect((await get(`/endpoints/${LAPTOP}/actions`)).items[0].status).toBe("completed");
    expect(await get("/stats")).toMatchObject({ pending_actions: 0, isolated: 1 });
    await sendHeartbeat(LAPTOP, { isolation: "normal" });
    expect((await get(`/endpoints/${LAPTOP}`)).isolation).toEqual({ desired: "isolated", reported: "normal" });
    await sendHeartbeat(LAPTOP, { isolation: "isolated" });
    expect((await get(`/endpoints/${LAPTOP}`)).isolation).toEqual({ desired: "isolated", reported: "isolated" });
  });

  it("blocks an action with the reason when the adapter refuses it", async () => {
    const adapter = await scripted(() => ({ status: 422 }));
    const { sendHeartbeat, call, get } = await start({ settings: adapter.settings });
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    expect((await call("POST", `/endpoints/${LAPTOP}/isolate`)).json().status).toBe("blocked");
    expect(adapter.received).toHaveLength(1);
    const { items } = await get(`/endpoints/${LAPTOP}/actions`);
    expect(items[0].error).toBe("the EDR adapter answered 422");
    expect((await get("/actions?in_force=true")).total).toBe(0);
  });
});

describe("isolations", () => {
  it("keeps an isolation in force until it is ended or a later one replaces it", async () => {
    const { sendHeartbeat, call, get } = await start();
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    await call("POST", `/endpoints/${LAPTOP}/isolate`, { reason: "first" });
    await call("POST", `/endpoints/${LAPTOP}/isolate`, { reason: "second" });
    const { items } = await get("/actions?in_force=true");
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ reason: "second", release_at: null, ended_at: null });
    await call("POST", `/endpoints/${LAPTOP}/unisolate`);
    expect((await get("/actions?in_force=true")).total).toBe(0);
    expect((await get("/actions")).total).toBe(3);
  });

  it("keeps the release time of the replaced isolation unless the new one sets it", async () => {
    const { sendHeartbeat, call, pass, db } = await start();
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    const isolate = async (body?: object) =>
      (await call("POST", `/endpoints/${LAPTOP}/isolate`, body)).json().release_at;
    const first = await isolate({ release_after_minutes: 10 });
    pass(MINUTE);
    expect(await isolate()).toBe(first);
    const noted = db.selectFrom("audit_log").select("details").where("action", "=", "endpoint.action_requested");
    const [, second] = await noted.orderBy("at").orderBy("id").execute();
    expect(second?.details).toMatchObject({ release_at: first, keeps_release: true });
    const longer = Date.parse(await isolate({ release_after_minutes: 60 })) - Date.parse(first);
    expect(longer).toBeGreaterThanOrEqual(51 * MINUTE);
    expect(await isolate({ release_after_minutes: null })).toBeNull();
    expect(await isolate()).toBeNull();
  });

  it("releases an isolation once at its release time, even with several workers", async () => {
    const adapter = await scripted(done);
    const { sendHeartbeat, call, get, pass, worker } = await start({ settings: adapter.settings });
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    await call("POST", `/endpoints/${LAPTOP}/isolate`, { release_after_minutes: 30 });
    pass(30 * MINUTE - 1000);
    await worker.work();
    expect((await get("/actions?in_force=true")).total).toBe(1);
    pass(2000);
    await Promise.all([worker.work(), worker.work(), worker.work()]);
    await worker.work();
    expect(adapter.received.map(({ body }) => JSON.parse(body).action)).toEqual(["isolate", "unisolate"]);
    expect((await get(`/endpoints/${LAPTOP}`)).isolation).toEqual({ desired: "normal", reported: "normal" });
    const { items } = await get(`/endpoints/${LAPTOP}/actions`);
    expect(items[0]).toMatchObject({ action: "unisolate", requested_by: "automatic release", status: "completed" });
    expect(items[1].ended_at).toEqual(expect.any(String));
  });

  it("keeps an isolation in force when the adapter refuses to end it", async () => {
    const adapter = await scripted((count) => (count === 1 ? done() : { status: 403 }));
    const { sendHeartbeat, call, get } = await start({ settings: adapter.settings });
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    await call("POST", `/endpoints/${LAPTOP}/isolate`);
    expect((await call("POST", `/endpoints/${LAPTOP}/unisolate`)).json().status).toBe("blocked");
    expect((await get("/actions?in_force=true")).total).toBe(1);
    expect((await get(`/endpoints/${LAPTOP}`)).isolation).toEqual({ desired: "normal", reported: "isolated" });
  });
});

describe("retention of EDR actions", () => {
  it("keeps the newest finished actions and all that are in force or in flight", async () => {
    const adapter = await scripted(() => ({ status: 503, body: {} }));
    const recorded = await start();
    const { call, sendHeartbeat, get, actions, pass, worker } = recorded;
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    await sendHeartbeat(SERVER, { ...HEARTBEAT, hostname: "DC-01" });
    const act = async (action: string, id: string): Promise<string> => {
      pass(1000);
      return (await call("POST", `/endpoints/${id}/${action}`)).json().action_id;
    };
    const inForce = await act("isolate", SERVER);
    const over = [await act("isolate", LAPTOP), await act("unisolate", LAPTOP)];
    const newest = [await act("scan", LAPTOP), await act("scan", LAPTOP)];
    const sending = await edrParts(recorded, adapter.settings);
    const tier3 = { kind: "user", username: "tier3", role: "tier3" } as const;
    const { result } = await sending.commands.run(tier3, { endpoint_id: LAPTOP, action: "scan", body: {} });
    expect(result.status).toBe("dispatched");
    const ids = async () => new Set((await get("/actions")).items.map((each: { action_id: string }) => each.action_id));
    await worker.work();
    expect(await ids()).toEqual(new Set([inForce, ...over, ...newest, result.action_id]));
    await actions.forget(2);
    expect(await ids()).toEqual(new Set([inForce, ...newest, result.action_id]));
    await actions.forget(0);
    expect(await ids()).toEqual(new Set([inForce, result.action_id]));
    expect((await get("/actions?in_force=true")).items).toMatchObject([{ action_id: inForce }]);
  });

  it("deletes an ended isolation even if the action that ended it is kept", async () => {
    const { call, sendHeartbeat, get, actions, pass } = await start();
    await sendHeartbeat(LAPTOP, HEARTBEAT);
    const isolated = (await call("POST", `/endpoints/${LAPTOP}/isolate`)).json().action_id;
    pass(1000);
    await call("POST", `/endpoints/${LAPTOP}/unisolate`);
    await actions.forget(1);
    const { items } = await get("/actions");
    expect(items).toMatchObject([{ action: "unisolate" }]);
    expect(items[0].action_id).not.toBe(isolated);
    await actions.forget(0);
    expect((await get("/actions")).total).toBe(0);
  });
});

describe("EDR actions by mode", () => {
  it("returns the exact request in dry_run without sending or storing anything", async () => {
    const adapter = await scripted(done);
    const { sendHeartbeat, call, get, db, worker } = await start({ mode: "dry_run", settings: adapter.settings });
    expect((await sendHeartbeat(LAPTOP, HEARTBEAT)).statusCode).toBe(201);
    const shown = await call("POST", `/endpoints/${LAPTOP}/isolate`, {
      reason: "it spreads",
      release_after_minutes: 60,
    });
    expect(shown.json()).toEqual({
      dry_run: true,
      preview: {
        id: expect.any(String),
        action_id: expect.any(String),
        endpoint_id: LAPTOP,
        action: "isolate",
        status: "dispatched",
        adapter: "http",
        release_at: expect.any(String),
        effect: {
          summary: "Isolates FIN-LT-014 from the network for 60 minutes",
          sends: [
            {
              destination: "edr",
              method: "POST",
              url: `${adapter.settings.url}/actions`,
              body: {
                action: "isolate",
                endpoint: { id: LAPTOP, hostname: "FIN-LT-014" },
                reason: "it spreads",
                case_id: null,
                requested_by: "admin",
              },
            },
          ],
        },
      },
    });
    await worker.work();
    expect(adapter.connections()).toBe(0);
    expect((await get(`/endpoints/${LAPTOP}`)).isolation.desired).toBe("normal");
    expect(await db.selectFrom("edr_actions").selectAll().execute()).toEqual([]);
  });

  it.each(["fresh", "none"] as const)(
    "blocks actions in dummy mode with database '%s' and sends nothing",
    async (database) => {
      const adapter = await scripted(done);
      const { call, sendHeartbeat } = await start({ mode: "dummy", database, settings: adapter.settings });
      for (const action of ["isolate", "unisolate", "scan"]) {
        const refused = await call("POST", `/endpoints/${LAPTOP}/${action}`);
        expect(refused.statusCode).toBe(403);
        expect(refused.json()).toEqual({ detail: "Runtime mode 'dummy' blocks this change" });
      }
      expect((await sendHeartbeat(LAPTOP, HEARTBEAT)).statusCode).toBe(403);
      expect(adapter.connections()).toBe(0);
    },
  );

  it("serves the showcase in dummy mode without a database", async () => {
    const { get } = await start({ mode: "dummy", database: "none" });
    const { items, total } = await get("/endpoints?isolation=isolated");
    expect(items).toMatchObject([{ hostname: "FIN-LT-014", status: "online" }]);
    expect(total).toBe(1);
    expect(await get("/stats")).toMatchObject({ total: 11, offline: 1, isolated: 1, by_site: { "Head office": 8 } });
    expect((await get("/actions?in_force=true")).items).toMatchObject([{ hostname: "FIN-LT-014", action: "isolate" }]);
    expect((await get(`/endpoints/${items[0].id}/actions`)).total).toBe(2);
  });

  it.each(["dry_run", "real"] as const)("answers 503 in %s mode without a database", async (mode) => {
    const { call } = await start({ mode, database: "none" });
    for (const path of ["/endpoints", "/stats", "/actions", `/endpoints/${LAPTOP}`]) {
      expect((await call("GET", path)).statusCode).toBe(503);
    }
    expect((await call("POST", `/endpoints/${LAPTOP}/isolate`)).statusCode).toBe(503);
  });
});

import { sql } from "kysely";
import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { createSites } from "../../identity/sites/sites.feature.ts";
import { leaveSite } from "../../identity/users/users.feature.ts";
import { createStats } from "../../reporting/stats/stats.feature.ts";
import { NO_FEATURE_COUNTS } from "../../reporting/stats/stats.ts";
import { toAgents } from "./agent.ts";
import { createAgents, hasAgents } from "./agents.feature.ts";

const MACHINE = { deployment_mode: "one_box", hostname: "soc-1", platform: "linux" } as const;
const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
const UNKNOWN_SITE = "0197f000-0000-7000-8000-00000000dead";

let platform: TestPlatform;
afterEach(() => platform.close());

async function start(mode: Mode, database: "fresh" | "none" = "fresh") {
  platform = await testPlatform(mode, database);
  const sites = createSites(platform, { machine: MACHINE, isInUse: hasAgents, leaveSite });
  const agents = createAgents(platform, sites.services);
  const constant = <Value>(value: Value) => ({ stored: async () => value, shown: () => value });
  const { approvals_pending, endpoints, devices, detections } = NO_FEATURE_COUNTS;
  const stats = createStats(platform, {
    topRules: async () => [],
    counts: {
      approvals_pending: constant(approvals_pending),
      endpoints: constant(endpoints),
      devices: constant(devices),
      detections: constant(detections),
      agents: agents.services.count,
    },
  });
  const app = await featureApp(
    platform,
    ...sites.registrations.routes,
    ...agents.registrations.routes,
    ...stats.registrations.routes,
  );
  const send = (method: "POST" | "PATCH" | "DELETE", path: string, payload?: object, role = "admin") =>
    app.inject({ method, url: `/api/v1${path}`, headers: { "x-role": role }, ...(payload && { payload }) });
  let made = 0;
  return {
    ...{ agents: agents.services.agents, sites: sites.services.sites, send },
    storeDemo: (showcase: Showcase) =>
      platform.db.transaction().execute(async (tx) => {
        for (const feature of [sites, agents]) await feature.registrations.storeDemo(tx, showcase);
      }),
    get: (path: string, role = "admin") => app.inject({ url: `/api/v1${path}`, headers: { "x-role": role } }),
    addSite: async (asset_classes: string[]): Promise<string> => {
      made += 1;
      const created = await send("POST", "/sites", { name: `Site ${made}`, profile: { asset_classes } });
      return created.json().id;
    },
    list: async (query = ""): Promise<{ id: string; name: string; sites: string[]; instances: number }[]> =>
      (await app.inject(`/api/v1/agents${query}`)).json().items,
  };
}

const countStatus = (answers: { statusCode: number }[], status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length;

async function readAudit(subject_type: string) {
  return platform.db
    .selectFrom("audit_log")
    .select(["actor", "action", "subject_id", "details"])
    .where("subject_type", "=", subject_type)
    .orderBy("at")
    .execute();
}

/** Runs a query that the role of the service has no permission for. */
async function queryAsOwner(text: string) {
  const owner = new pg.Client(platform.url);
  await owner.connect();
  const { rows } = await owner.query(text);
  await owner.end();
  return rows;
}

/** Waits until a connection waits for a lock. */
async function waitForBlocked(): Promise<void> {
  const blocked = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect(await queryAsOwner(blocked)).toHaveLength(1), { timeout: 5000 });
}

describe("GET /agents", () => {
  it("lists the sixteen agents with their documented fields", async () => {
    const { get } = await start("real");
    const answered = await get("/agents", "auditor");
    expect(answered.statusCode).toBe(200);
    const { items, ...page } = answered.json();
    expect(page).toEqual({ total: 16, skip: 0, limit: 50, next_cursor: null });
    expect(items.map(({ id }: { id: string }) => id)).toEqual(
      Array.from({ length: 16 }, (_, at) => `agent-${String(at + 1).padStart(3, "0")}`),
    );
    expect(items[11]).toEqual({
      id: "agent-012",
      name: "CpsGuardAgent",
      type: "cps_guard",
      sites: [],
      status: "active",
      instances: 4,
      capabilities: expect.arrayContaining([expect.any(String)]),
      asset_classes: ["ot", "iot", "medical", "building"],
      last_active: null,
      runs_24h: 0,
      error: null,
    });
  });

  it("filters by site, status and type and pages by skip and by cursor", async () => {
    const { get, send, addSite } = await start("real");
    const site = await addSite(["it"]);
    await send("POST", "/agents/agent-010/deploy", { site_id: site });
    await send("POST", "/agents/agent-001/deploy", { site_id: site });
    await send("POST", "/agents/agent-010/disable");
    const ids = async (query: string) => {
      const { items, total } = (await get(`/agents?${query}`)).json();
      return [total, ...items.map(({ id }: { id: string }) => id)];
    };
    expect(await ids(`site=${site}`)).toEqual([2, "agent-001", "agent-010"]);
    expect(await ids(`site=${site.toUpperCase()}`)).toEqual([2, "agent-001", "agent-010"]);
    expect(await ids(`site=${site}&status=disabled`)).toEqual([1, "agent-010"]);
    expect(await ids("status=error")).toEqual([0]);
    expect(await ids("type=threat_intel")).toEqual([1, "agent-004"]);
    expect(await ids("site=nowhere")).toEqual([0]);
    const first = (await get("/agents?limit=15")).json();
    expect(await ids(`cursor=${first.next_cursor}`)).toEqual([16, "agent-016"]);
    expect(await ids("skip=14&limit=1")).toEqual([16, "agent-015"]);
  });

  it.each([
    ["status=parked", /^status: /],
    ["type=Triage", /^type: /],
    ["site=", /^site: /],
    ["limit=201", /^limit: /],
    ["cursor=nonsense", /^cursor: /],
  ])("refuses ?%s and names the field", async (query, why) => {
    const { get } = await start("dummy", "none");
    const refused = await get(`/agents?${query}`);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({ detail: expect.stringMatching(why) });
  });

  it("omits an agent that a later release added", async () => {
    const { list } = await start("real");
    await queryAsOwner("INSERT INTO agents (id) VALUES ('agent-017')");
    expect(await list()).toHaveLength(16);
  });
});

describe("changes of agents", () => {
  it("enables and disables by id and by name with an audit entry and an event", async () => {
    const { send } = await start("real");
    const disabled = await send("POST", "/agents/agent-003/disable", undefined, "manager");
    expect(disabled.statusCode).toBe(200);
    expect(disabled.json()).toMatchObject({ id: "agent-003", name: "CorrelationAgent", status: "disabled" });
    const enabled = await send("POST", "/agents/CorrelationAgent/enable");
    expect(enabled.json()).toMatchObject({ id: "agent-003", status: "active" });
    expect(await readAudit("agent")).toEqual([
      {
        actor: "manager",
        action: "agent.disabled",
        subject_id: "agent-003",
        details: { name: "CorrelationAgent", former_status: "active" },
      },
      {
        actor: "admin",
        action: "agent.enabled",
        subject_id: "agent-003",
        details: { name: "CorrelationAgent", former_status: "disabled" },
      },
    ]);
    const events = await platform.db.selectFrom("outbox").select(["type", "subject_id"]).orderBy("id").execute();
    expect(events).toEqual([
      { type: "agent.disabled", subject_id: "agent-003" },
      { type: "agent.enabled", subject_id: "agent-003" },
    ]);
  });

  it("keeps the error of an agent until it is enabled", async () => {
    const { send } = await start("real");
    await platform.db
      .updateTable("agents")
      .set({ status: "error", error: "the model did not answer" })
      .where("id", "=", "agent-001")
      .execute();
    expect((await send("PATCH", "/agents/agent-001/scale", { instances: 2 })).json()).toMatchObject({
      status: "error",
      instances: 2,
      error: "the model did not answer",
    });
    expect((await send("POST", "/agents/agent-001/disable")).json()).toMatchObject({
      status: "disabled",
      error: "the model did not answer",
    });
    expect((await send("POST", "/agents/agent-001/enable")).json()).toMatchObject({ status: "active", error: null });
  });

  it("scales from 0, which parks the agent, to 10", async () => {
    const { send, list } = await start("real");
    for (const instances of [10, 0]) {
      const scaled = await send("PATCH", "/agents/TriageAgent/scale", { instances });
      expect([scaled.statusCode, scaled.json().instances, scaled.json().status]).toEqual([200, instances, "active"]);
    }
    expect((await list("?type=triage"))[0]?.instances).toBe(0);
    expect((await readAudit("agent")).map(({ details }) => details)).toEqual([
      { name: "TriageAgent", instances: 10, former_instances: 4 },
      { name: "TriageAgent", instances: 0, former_instances: 10 },
    ]);
  });

  it.each([
    [{}, /^instances: is required$/],
    [{ instances: -1 }, /^instances: /],
    [{ instances: 11 }, /^instances: /],
    [{ instances: 1.5 }, /^instances: /],
    [{ instances: "many" }, /^instances: /],
    [{ instances: null }, /^instances: /],
  ])("refuses to scale to %j and names the field", async (payload, why) => {
    const { send, list } = await start("real");
    const refused = await send("PATCH", "/agents/agent-001/scale", payload);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toEqual({ detail: expect.stringMatching(why) });
    expect((await list("?type=triage"))[0]?.instances).toBe(4);
  });

  it("answers each of twenty concurrent scale requests with 200, and the last one wins", {
    timeout: 60_000,
  }, async () => {
    const { send, list } = await start("real");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => send("PATCH", "/agents/agent-001/scale", { instances: at % 11 })),
    );
    expect(countStatus(answers, 200)).toBe(20);
    expect(answers.map((answer) => answer.json().instances)).toEqual(Array.from({ length: 20 }, (_, at) => at % 11));
    // The row locks order the changes: each one starts from the result of the previous one.
    const { rows } = await sql<{ instances: number; former: number }>`
      SELECT (data->>'instances')::int AS instances, (data->>'former_instances')::int AS former
      FROM outbox WHERE type = 'agent.scaled' ORDER BY id`.execute(platform.db);
    expect(rows).toHaveLength(20);
    expect(rows.map(({ former }) => former)).toEqual([4, ...rows.slice(0, -1).map(({ instances }) => instances)]);
    expect((await list("?type=triage"))[0]?.instances).toBe(rows.at(-1)?.instances);
  });

  it.each(["agent-017", "AGENT-001", "triageagent", "NobleAgent"])(
    "answers 404 for the agent '%s' because ids and names must match exactly",
    async (id) => {
      const { send } = await start("real");
      const detail = `agent '${decodeURIComponent(id)}' does not exist`;
      for (const action of ["enable", "disable"]) {
        const refused = await send("POST", `/agents/${id}/${action}`);
        expect([refused.statusCode, refused.json()]).toEqual([404, { detail }]);
      }
      const scaled = await send("PATCH", `/agents/${id}/scale`, { instances: 1 });
      expect([scaled.statusCode, scaled.json()]).toEqual([404, { detail }]);
      expect(await readAudit("agent")).toEqual([]);
    },
  );

  it("requires agents:manage", async () => {
    const { send } = await start("real");
    for (const role of ["tier3", "responder", "auditor", "agent"]) {
      expect((await send("POST", "/agents/agent-001/disable", undefined, role)).statusCode).toBe(403);
    }
    expect((await send("POST", "/agents/agent-001/disable", undefined, "manager")).statusCode).toBe(200);
  });

  it("returns a preview in dry_run and stores nothing", async () => {
    const { send, list, addSite } = await start("dry_run");
    expect((await send("POST", "/agents/agent-001/disable")).json()).toMatchObject({
      dry_run: true,
      preview: { id: "agent-001", status: "disabled" },
    });
    expect((await send("PATCH", "/agents/agent-001/scale", { instances: 5 })).json()).toMatchObject({
      dry_run: true,
      preview: { instances: 5 },
    });
    expect(await addSite(["it"])).toBeUndefined();
    const site = { id: platform.ids.next(), name: "Office", profile: { asset_classes: ["it"] as ["it"] } };
    await platform.db.insertInto("sites").values(site).execute();
    expect((await send("POST", "/agents/agent-001/deploy", { site_id: site.id })).json()).toMatchObject({
      dry_run: true,
      preview: { sites: [site.id] },
    });
    expect((await send("POST", "/agents/agent-017/enable")).statusCode).toBe(404);
    expect((await list("?type=triage"))[0]).toMatchObject({ status: "active", instances: 4, sites: [] });
    expect(await readAudit("agent")).toEqual([]);
  });
});

describe("deployment of agents", () => {
  it("adds the site to the agent's sites once", async () => {
    const { send, addSite } = await start("real");
    const [first, second] = [await addSite(["it", "ot"]), await addSite(["ot"])];
    const ask = (site_id: string) => send("POST", "/agents/CpsGuardAgent/deploy", { site_id });
    expect((await ask(first)).json()).toMatchObject({ id: "agent-012", sites: [first] });
    expect((await ask(second)).json().sites).toEqual([first, second]);
    const repeated = await ask(first.toUpperCase());
    expect([repeated.statusCode, repeated.json().sites]).toEqual([200, [first, second]]);
    expect((await readAudit("agent")).at(0)).toEqual({
      actor: "admin",
      action: "agent.deployed",
      subject_id: "agent-012",
      details: { name: "CpsGuardAgent", site_id: first, site: "Site 1" },
    });
  });

  it("refuses an unknown site and one without any of the agent's asset classes", async () => {
    const { send, addSite, list } = await start("real");
    const [office, empty] = [await addSite(["it", "cloud"]), await addSite([])];
    const ask = async (id: string, payload: object) => {
      const refused = await send("POST", `/agents/${id}/deploy`, payload);
      return [refused.statusCode, refused.json().detail];
    };
    expect(await ask("agent-012", { site_id: UNKNOWN_SITE })).toEqual([404, `site '${UNKNOWN_SITE}' does not exist`]);
    expect(await ask("agent-012", { site_id: "nowhere" })).toEqual([404, "site 'nowhere' does not exist"]);
    expect(await ask("agent-017", { site_id: office })).toEqual([404, "agent 'agent-017' does not exist"]);
    expect(await ask("agent-012", { site_id: office })).toEqual([
      409,
      "site_id: site 'Site 1' declares none of the asset classes of CpsGuardAgent: ot, iot, medical, building",
    ]);
    expect((await ask("agent-001", { site_id: empty }))[0]).toBe(409);
    expect(await ask("agent-012", {})).toEqual([400, "site_id: is required"]);
    expect(await ask("agent-012", { site_id: "" })).toEqual([400, expect.stringMatching(/^site_id: /)]);
    expect((await list()).flatMap(({ sites }) => sites)).toEqual([]);
    expect(await readAudit("agent")).toEqual([]);
  });

  it("ends with undeploy, and then the site can be deleted", async () => {
    const { send, addSite } = await start("real");
    const site_id = await addSite(["it"]);
    await send("POST", "/agents/agent-001/deploy", { site_id });
    const refused = await send("DELETE", `/sites/${site_id}`);
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      { detail: "site 'Site 1' still has agents or devices" },
    ]);
    const ended = await send("POST", "/agents/agent-001/undeploy", { site_id });
    expect([ended.statusCode, ended.json().sites]).toEqual([200, []]);
    expect((await readAudit("agent")).at(-1)).toMatchObject({ action: "agent.undeployed", details: { site_id } });
    for (const other of [site_id, "nowhere"]) {
      const repeated = await send("POST", "/agents/agent-001/undeploy", { site_id: other });
      expect([repeated.statusCode, repeated.json().detail]).toEqual([
        404,
        `site_id: TriageAgent is not deployed to site '${other}'`,
      ]);
    }
    expect((await send("DELETE", `/sites/${site_id}`)).statusCode).toBe(200);
  });

  it("waits for a deletion of the site in progress and then refuses the unknown site", async () => {
    const { send, sites, addSite, list } = await start("real");
    const site_id = await addSite(["it"]);
    const deploying = await platform.db.transaction().execute(async (tx) => {
      await sites.delete(tx, ADMIN, site_id);
      const asked = send("POST", "/agents/agent-001/deploy", { site_id });
      await waitForBlocked();
      // Wrapped in an object, because a bare promise would be awaited before the commit.
      return { asked };
    });
    const refused = await deploying.asked;
    expect([refused.statusCode, refused.json()]).toEqual([404, { detail: `site '${site_id}' does not exist` }]);
    expect((await list("?type=triage"))[0]?.sites).toEqual([]);
  });

  it("makes a deletion of the site wait for its commit and then fail", async () => {
    const { send, agents, addSite, list } = await start("real");
    const site_id = await addSite(["it"]);
    const deleting = await platform.db.transaction().execute(async (tx) => {
      await agents.deploy(tx, ADMIN, "agent-001", site_id);
      const asked = send("DELETE", `/sites/${site_id}`);
      await waitForBlocked();
      return { asked };
    });
    expect((await deleting.asked).statusCode).toBe(409);
    expect((await list("?type=triage"))[0]?.sites).toEqual([site_id]);
  });

  it("never succeeds together with the deletion of the site", { timeout: 60_000 }, async () => {
    const { send, addSite, list, get } = await start("real");
    for (let round = 0; round < 20; round += 1) {
      const site_id = await addSite(["it"]);
      const deploy = (agent: string) => send("POST", `/agents/${agent}/deploy`, { site_id });
      const [first, deleted, second] = await Promise.all([
        deploy("agent-001"),
        send("DELETE", `/sites/${site_id}`),
        deploy("agent-010"),
      ]);
      const isDeployed = first.statusCode === 200 || second.statusCode === 200;
      expect(deleted.statusCode).toBe(isDeployed ? 409 : 200);
      for (const { statusCode } of [first, second]) expect([200, 404]).toContain(statusCode);
    }
    const existing = (await get("/sites?limit=200")).json().items.map(({ id }: { id: string }) => id);
    for (const site_id of (await list()).flatMap(({ sites }) => sites)) expect(existing).toContain(site_id);
  });
});

describe("agent statistics", () => {
  it("count the agents by status", async () => {
    const { send, get } = await start("real");
    await send("POST", "/agents/agent-001/disable");
    await send("POST", "/agents/agent-002/disable");
    await send("PATCH", "/agents/agent-004/scale", { instances: 0 });
    await platform.db
      .updateTable("agents")
      .set({ status: "error", error: "failed" })
      .where("id", "=", "agent-003")
      .execute();
    expect((await get("/stats/overview")).json().agents).toEqual({ active: 13, disabled: 2, error: 1 });
  });
});

describe("agents of the demo", () => {
  it("have the state of the showcase but no runs", async () => {
    const { storeDemo, list } = await start("real");
    const showcase = buildShowcase(platform.clock.now());
    await storeDemo(showcase);
    const shown = toAgents(showcase.agents).map((agent) => ({
      ...agent,
      last_active: agent.last_active?.toISOString() ?? null,
      runs_24h: 0,
    }));
    expect(await list()).toEqual(shown);
  });
});

describe("agents without a database", () => {
  it("come from the showcase in dummy and cannot be changed", async () => {
    const { get, send } = await start("dummy", "none");
    const { items, total } = (await get("/agents?status=error")).json();
    expect([total, items[0]]).toEqual([1, expect.objectContaining({ id: "agent-004", runs_24h: 11 })]);
    const site = (await get("/sites")).json().items.find(({ name }: { name: string }) => name === "Waterworks");
    expect((await get(`/agents?site=${site.id}&type=firmware`)).json().total).toBe(1);
    expect((await get("/stats/overview")).json().agents).toEqual({ active: 14, disabled: 1, error: 1 });
    const changes = [
      await send("POST", "/agents/agent-001/enable"),
      await send("POST", "/agents/agent-001/disable"),
      await send("POST", "/agents/agent-001/deploy", { site_id: site.id }),
      await send("POST", "/agents/agent-001/undeploy", { site_id: site.id }),
      await send("PATCH", "/agents/agent-001/scale", { instances: 1 }),
    ];
    for (const refused of changes) {
      expect([refused.statusCode, refused.json()]).toEqual([
        403,
        { detail: "Runtime mode 'dummy' blocks this change" },
      ]);
    }
  });

  it.each(["dry_run", "real"] as const)("are answered with 503 in %s", async (mode) => {
    const { get, send } = await start(mode, "none");
    expect((await get("/agents")).statusCode).toBe(503);
    expect((await send("POST", "/agents/agent-001/enable")).statusCode).toBe(503);
  });
});

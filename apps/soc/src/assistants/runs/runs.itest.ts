import process from "node:process";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ANALYST, createRunsWorld, type RunsWorld } from "../../../testing/harness/runs-world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { AgentId } from "../agents/agent-names.ts";
import type { ToolsService } from "../tools/tools.service.ts";

const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
const isFull = process.env.PROVE === "full";
const MISSING = "0197f000-0000-7000-8000-00000000dead";
let world: RunsWorld;
let owner: pg.Client;
let raised = 0;

beforeAll(async () => {
  const { url } = await freshDatabase();
  world = await createRunsWorld(url);
  owner = new pg.Client(url);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

afterEach(async () => {
  const { db } = world.base;
  await sql`UPDATE agents SET status = 'active', error = NULL, instances = 1`.execute(db);
  await sql`DELETE FROM agent_sites`.execute(db);
  await sql`DELETE FROM investigations`.execute(db);
});

async function raise(fields: object = {}) {
  raised += 1;
  const report = {
    title: `LSASS Dump ${raised}`,
    source: "edr",
    severity: "critical",
    host: "WS5",
    log_ids: ["log-4"],
  };
  const { alert } = await world.base.db
    .transaction()
    .execute((tx) => world.alerts.create(tx, ADMIN, { ...report, ...fields } as never));
  return alert;
}

async function request(alert_context: string | Record<string, unknown>) {
  const prepared = await world.runs.services.runs.prepare(ALL_SITES, { alert_context });
  const { db } = world.base;
  const made = await db.transaction().execute((tx) => world.runs.services.runs.request(tx, ANALYST, prepared));
  return made.investigation_id;
}

const scale = (id: AgentId, instances: number) =>
  world.base.db.transaction().execute((tx) => world.agents.scale(tx, ADMIN, id, instances));
const disable = (id: AgentId) => world.base.db.transaction().execute((tx) => world.agents.disable(tx, ADMIN, id));
const get = (id: string) => world.runs.services.runs.get(id);
const createInvestigator = (onCheckpoint?: (place: string) => Promise<void>) =>
  world.runs.services.createInvestigator({ createReader: world.createReader, ...(onCheckpoint && { onCheckpoint }) });

/** Claims and runs waiting investigations like a worker. */
async function drive(width = 10): Promise<void> {
  const handed = await world.runs.services.work.claim(width);
  await Promise.all(handed.map((each) => createInvestigator().run(each)));
}

/** All steps with PROVE=full; otherwise a few, including the one between opening the case and recording it. */
function chooseStops(places: readonly string[]): string[] {
  if (isFull) return [...places];
  const few = ["called create_case", "concluded", "before agent-016 1", "after agent-004 2"];
  return places.filter((place) => few.includes(place));
}

const countCases = async () =>
  Number((await sql<{ n: string }>`SELECT count(*) AS n FROM cases`.execute(world.base.db)).rows[0]?.n);

describe("investigations", () => {
  it("end with a verdict, findings with evidence, the parts of their agents and one case", async () => {
    const alert = await raise();
    const id = await request({ alert_id: alert.id });
    expect(await get(id)).toMatchObject({ status: "queued", verdict: null, agents: [], alert_id: alert.id });
    const cases = await countCases();
    await drive();
    const found = await get(id);
    expect(found).toMatchObject({ status: "completed", verdict: "malicious", error: null, severity: "critical" });
    expect(found.confidence).toBeGreaterThan(0.8);
    expect(found.findings.length).toBeGreaterThan(3);
    for (const { evidence_ids, is_supported } of found.findings) {
      expect(evidence_ids.length).toBeGreaterThan(0);
      expect(is_supported).toBe(true);
    }
    expect(
      found.agents.map(({ agent_id, status, calls }) => [agent_id, status, calls.map((each) => each.error_code)]),
    ).toEqual([
      ["agent-001", "completed", [null]],
      ["agent-002", "completed", [null]],
      ["agent-004", "completed", [null, null]],
      ["agent-009", "completed", ["not_found"]],
      ["agent-015", "completed", [null]],
      ["agent-016", "completed", [null]],
    ]);
    expect(await countCases()).toBe(cases + 1);
    const opened = await world.cases.look(ALL_SITES, found.case_id ?? "", async (_, each) => each);
    expect(opened).toMatchObject({ title: `Case of ${alert.title}` });
    expect((await world.alerts.get(ALL_SITES, alert.id)).case_id).toBe(found.case_id);
    const { items } = await world.runs.services.runs.list({ case_id: found.case_id ?? "" });
    expect(items.map((each) => each.investigation_id)).toEqual([id]);
  });

  it("end inconclusive and recommend no containment for a critical alert without logs", async () => {
    const id = await request({ title: "Sensor agent stopped", host: "ws5", severity: "critical" });
    await drive();
    const found = await get(id);
    expect(found).toMatchObject({ status: "completed", verdict: "inconclusive", confidence: 0.5 });
    expect(found.findings).toEqual([]);
    expect(found.summary).toContain("no evidence beyond the severity of its rule");
    expect(found.recommended_actions.filter((each) => /isolate|stop|reset|promote/i.test(each))).toEqual([]);
  });

  it("count as one run of each of their agents", async () => {
    const id = await request({ alert_id: (await raise()).id });
    await drive();
    const { items } = await world.agents.list({});
    const of = (agent: string) => items.find((each) => each.id === agent);
    expect(of("agent-004")).toMatchObject({ runs_24h: 1, error: null, status: "active" });
    expect(of("agent-004")?.last_active).not.toBeNull();
    expect(of("agent-013")).toMatchObject({ runs_24h: 0 });
    expect(
      (await world.runs.services.runs.list({ agent_id: "ThreatIntelAgent" })).items.map(
        (each) => each.investigation_id,
      ),
    ).toEqual([id]);
    expect((await world.runs.services.runs.list({ agent_id: "agent-013" })).total).toBe(0);
  });

  it("accept a context that is not a stored alert, and then open a case without an alert", async () => {
    const id = await request({ title: "Odd program", host: "WS5", log_ids: ["log-4"], whatever: { deep: [1] } });
    await drive();
    const found = await get(id);
    expect(found).toMatchObject({ status: "completed", verdict: "malicious", alert_id: null });
    expect(found.alert_context).toMatchObject({ whatever: { deep: [1] } });
    expect(found.agents.find(({ agent_id }) => agent_id === "agent-002")?.calls[0]?.error_code).toBe("not_found");
    expect(found.case_id).not.toBeNull();
  });

  it("accept the id of an alert, JSON or free text", async () => {
    const alert = await raise();
    expect(await get(await request(alert.id))).toMatchObject({ alert_id: alert.id });
    expect(await get(await request(JSON.stringify({ host: "WS5" })))).toMatchObject({ alert_context: { host: "WS5" } });
    const words = "{odd} sign-in\nseen at night";
    expect(await get(await request(words))).toMatchObject({
      alert_context: { title: "{odd} sign-in", description: words },
    });
  });

  it("cite only existing events", async () => {
    const id = await request({ title: "Nothing", host: "no-such-host", log_ids: [MISSING, "'; DROP TABLE logs"] });
    await drive();
    expect(await get(id)).toMatchObject({ status: "completed", findings: [] });
  });

  it("refuse a context that is too large, too deep or names no alert", async () => {
    await expect(request({ description: "x".repeat(20_000), more: "y".repeat(65_536) })).rejects.toThrow(
      /^alert_context: must have at most 65536 bytes$/,
    );
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`);
    await expect(request({ deep })).rejects.toThrow(/^alert_context: must not be nested deeper than 20 levels$/);
    await expect(request({ alert_id: MISSING })).rejects.toMatchObject({ kind: "not_found" });
    await expect(request({ title: "a\0b" })).rejects.toThrow(/^alert_context: /);
    await expect(request(`{"log_ids": "all"}`)).rejects.toThrow(/^alert_context.log_ids: /);
  });
});

describe("agents in investigations", () => {
  it("are skipped and named if parked or disabled", async () => {
    await scale("agent-002", 0);
    await disable("agent-004");
    const id = await request({ alert_id: (await raise()).id });
    await drive();
    const { status, agents, summary } = await get(id);
    expect(status).toBe("completed");
    const parts = agents.filter(({ agent_id }) => ["agent-002", "agent-004"].includes(agent_id));
    expect(parts).toMatchObject([
      { status: "parked", run_id: null, calls: [] },
      { status: "disabled", run_id: null, calls: [] },
    ]);
    expect(summary).toContain("Without EnrichmentAgent (parked), ThreatIntelAgent (disabled).");
    const { items } = await world.agents.list({});
    expect(items.find((each) => each.id === "agent-004")).toMatchObject({ runs_24h: 0, status: "disabled" });
  });

  it("stop all investigations while the supervisor or the triage is disabled, and waiting ones are counted", async () => {
    const id = await request({ alert_id: (await raise()).id });
    await scale("agent-016", 0);
    expect(await world.runs.services.runs.queue()).toMatchObject({ queued: 1, running: 0, width: 0 });
    await scale("agent-016", 2);
    await disable("agent-001");
    expect(await world.runs.services.runs.readWidth()).toBe(0);
    await drive(await world.runs.services.runs.readWidth());
    expect(await get(id)).toMatchObject({ status: "queued" });
  });

  it("run at most as many investigations as the width over all workers, most severe first", async () => {
    const low = await request({ alert_id: (await raise({ severity: "low" })).id });
    const high = await request({ alert_id: (await raise({ severity: "high" })).id });
    const first = await Promise.all([1, 2, 3, 4].map(() => world.runs.services.work.claim(1)));
    expect(first.flat().map((each) => each.investigation_id)).toEqual([high]);
    expect(await world.runs.services.work.claim(1)).toEqual([]);
    expect((await world.runs.services.work.claim(2)).map((each) => each.investigation_id)).toEqual([low]);
  });

  it("have no more concurrent runs than instances", async () => {
    await scale("agent-016", 4);
    await scale("agent-001", 4);
    const ids = [];
    for (let made = 0; made < 4; made += 1) ids.push(await request({ alert_id: (await raise()).id }));
    let most = 0;
    const watch = async () => {
      const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM agent_runs
        WHERE agent_id = 'agent-004' AND status = 'running'`.execute(world.base.db);
      most = Math.max(most, rows[0]?.n ?? 0);
    };
    const handed = await world.runs.services.work.claim(4);
    expect(handed).toHaveLength(4);
    await Promise.all(handed.map((each) => createInvestigator(watch).run(each)));
    for (const id of ids) expect(await get(id)).toMatchObject({ status: "completed" });
    expect(most).toBe(1);
  });

  it("work only on their sites if they are deployed to any", async () => {
    const { db } = world.base;
    const { rows } = await sql<{ id: string }>`INSERT INTO sites (id, name, profile, created_at)
      VALUES (gen_random_uuid(), 'Depot', '{"asset_classes":["it"]}', now()) RETURNING id`.execute(db);
    await db.transaction().execute((tx) => world.agents.deploy(tx, ADMIN, "agent-004", rows[0]?.id ?? ""));
    const elsewhere = await request({ alert_id: (await raise({ site: "Office" })).id });
    await drive();
    const there = await request({ alert_id: (await raise({ site: "depot" })).id });
    await drive();
    const findPart = async (id: string) => (await get(id)).agents.find(({ agent_id }) => agent_id === "agent-004");
    expect(await findPart(elsewhere)).toMatchObject({ status: "elsewhere", run_id: null });
    expect(await findPart(there)).toMatchObject({ status: "completed" });
  });
});

describe("cancelling an investigation", () => {
  const cancel = (id: string) =>
    world.base.db.transaction().execute((tx) => world.runs.services.runs.cancel(tx, ANALYST, id));

  it("ends a waiting one and refuses one that has ended", async () => {
    const id = await request({ alert_id: (await raise()).id });
    expect(await cancel(id)).toMatchObject({ status: "cancelled", error: "cancelled by amina" });
    await drive();
    expect(await get(id)).toMatchObject({ status: "cancelled", verdict: null });
    await expect(cancel(id)).rejects.toMatchObject({ kind: "conflict" });
    await expect(cancel(MISSING)).rejects.toMatchObject({ kind: "not_found" });
  });

  it("ends a running one immediately without further steps or a case", async () => {
    const cases = await countCases();
    const id = await request({ alert_id: (await raise()).id });
    const [handed] = await world.runs.services.work.claim(1);
    if (!handed) throw new Error("nothing was claimed");
    await createInvestigator(async (place) => {
      if (place === "after agent-004 2") await cancel(id);
    }).run(handed);
    expect(await get(id)).toMatchObject({ status: "cancelled", verdict: null, case_id: null });
    expect(await countCases()).toBe(cases);
    const { rows } = await sql`SELECT FROM agent_runs WHERE status = 'running'`.execute(world.base.db);
    expect(rows).toEqual([]);
  });
});

it("opens the case of an investigation although the database refuses it at first", async () => {
  const { db } = world.base;
  const id = await request({ alert_id: (await raise()).id });
  const cases = await countCases();
  let refusals = 0;
  const call: ToolsService["call"] = async (caller, name, input, options) => {
    if (name !== "create_case" || refusals >= 2) return world.tools.call(caller, name, input, options);
    refusals += 1;
    return { status: "error", error_code: "unavailable", error: "the database is unavailable" };
  };
  const [handed] = await world.runs.services.work.claim(1);
  if (!handed) throw new Error("nothing was claimed");
  const tools = { ...world.tools, call };
  await world.runs.services.createInvestigator({ createReader: world.createReader, tools }).run(handed);
  expect(refusals).toBe(2);
  expect(await get(id)).toMatchObject({ status: "completed", case_id: expect.any(String) });
  expect(await countCases()).toBe(cases + 1);
  expect((await sql`SELECT FROM agent_runs WHERE status = 'running'`.execute(db)).rows).toEqual([]);
});

it("continues an investigation after an interruption at any step and ends it once with one case", async () => {
  const places: string[] = [];
  const first = await request({ alert_id: (await raise()).id });
  const [whole] = await world.runs.services.work.claim(1);
  if (!whole) throw new Error("nothing was claimed");
  await createInvestigator(async (place) => void places.push(place)).run(whole);
  const expected = await get(first);
  expect(places.length).toBeGreaterThan(40);
  for (const stop of chooseStops(places.filter((place) => place !== "finished"))) {
    const cases = await countCases();
    const id = await request({ alert_id: (await raise()).id });
    const [handed] = await world.runs.services.work.claim(1);
    if (!handed) throw new Error("nothing was claimed");
    const dying = createInvestigator(async (place) => {
      if (place === stop) throw new Error(`interrupted at ${place}`);
    });
    await expect(dying.run(handed)).rejects.toThrow(`interrupted at ${stop}`);
    await world.runs.services.work.handOutAgain(handed);
    await sql`UPDATE investigations SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL`.execute(
      world.base.db,
    );
    await drive();
    const { status, verdict, findings, agents } = await get(id);
    expect({ stop, status, verdict, count: findings.length }).toEqual({
      ...{ stop, status: "completed", verdict: expected.verdict },
      count: expected.findings.length,
    });
    expect(agents.map(({ agent_id, status: part }) => [agent_id, part])).toEqual(
      expected.agents.map(({ agent_id, status: part }) => [agent_id, part]),
    );
    expect(await countCases(), stop).toBe(cases + 1);
  }
}, 300_000);

describe("platform failures during investigations", () => {
  async function claimAgain() {
    await sql`UPDATE investigations SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL`.execute(
      world.base.db,
    );
    const [handed] = await world.runs.services.work.claim(1);
    if (!handed) throw new Error("nothing was claimed");
    return handed;
  }

  it.each([
    ["INSERT ON investigation_steps", "NEW.agent_id = 'agent-016' AND NEW.sequence = 2"],
    ["INSERT ON investigation_steps", "NEW.kind = 'reader' AND NEW.name = 'ofUser'"],
    ["INSERT ON agent_runs", "NEW.agent_id = 'agent-004'"],
    ["UPDATE ON agent_runs", "NEW.agent_id = 'agent-004'"],
  ])("do not count as answers: a statement that timed out is repeated (%s, %s)", async (statement, condition) => {
    const id = await request({ alert_id: (await raise()).id });
    await owner.query(`
      CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = 'query_canceled'; END $$;
      CREATE TRIGGER too_long BEFORE ${statement} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION take_too_long()`);
    const handed = await claimAgain();
    await expect(createInvestigator().run(handed)).rejects.toThrow("the database failed during an investigation");
    await owner.query("DROP FUNCTION take_too_long CASCADE");
    await world.runs.services.work.handOutAgain(handed);
    await createInvestigator().run(await claimAgain());
    const { status, summary, agents } = await get(id);
    expect({ status, summary }).toEqual({ status: "completed", summary: expect.not.stringContaining("Not read") });
    expect(agents.map((each) => each.status)).toEqual(agents.map(() => "completed"));
  });

  it("do not end an investigation that makes progress, however often they happen", async () => {
    const id = await request({ alert_id: (await raise()).id });
    for (let step = 1; step <= 12; step += 1) {
      const handed = await claimAgain();
      const dying = createInvestigator(async (place) => {
        if (place === `after agent-016 ${step}`) throw new Error("interrupted");
      });
      await expect(dying.run(handed)).rejects.toThrow("interrupted");
      expect(await world.runs.services.work.handOutAgain(handed)).toBeUndefined();
    }
    await createInvestigator().run(await claimAgain());
    expect(await get(id)).toMatchObject({ status: "completed", verdict: "malicious" });
  });

  it("end an investigation after eight failures in a row without progress", async () => {
    const id = await request({ alert_id: (await raise()).id });
    const dying = createInvestigator(async (place) => {
      if (place === "before agent-016 6") throw new Error("interrupted");
    });
    // The first one stores five steps.
    for (let failures = 1; failures <= 8; failures += 1) {
      const handed = await claimAgain();
      await expect(dying.run(handed)).rejects.toThrow("interrupted");
      expect(await world.runs.services.work.handOutAgain(handed)).toBeUndefined();
    }
    const last = await claimAgain();
    await expect(dying.run(last)).rejects.toThrow("interrupted");
    expect(await world.runs.services.work.handOutAgain(last)).toMatchObject({ investigation_id: id, status: "failed" });
    expect(await get(id)).toMatchObject({ status: "failed", error: "the worker was interrupted too often" });
    const { rows } = await sql`SELECT FROM agent_runs WHERE status = 'running'`.execute(world.base.db);
    expect(rows).toEqual([]);
  });
});

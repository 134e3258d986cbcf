import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { notFound, Problem } from "@kit/problem";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { killHolders, outboxStream } from "../../../testing/servers/nats-streams.ts";
import { buildAlert } from "../../alerts/alerts/alert.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { createAlertsService } from "../../alerts/alerts/alerts.service.ts";
import { createAlertsStore, createShowcaseAlertsStore } from "../../alerts/alerts/alerts.store.ts";
import { buildShowcaseAutomations, SOAR_RULES } from "../../demo/automations.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { createAuditLog } from "../../foundation/audit.feature.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { buildAutomation } from "./automation.ts";
import { type AutomatedStart, createAutomationFirings } from "./automation-firings.ts";
import { automationsRoutes } from "./automations.routes.ts";
import { createAutomationsService } from "./automations.service.ts";
import { createAutomationsStore, createShowcaseAutomationsStore } from "./automations.store.ts";
import { consumeAlerts } from "./automations.worker.ts";
import { soarRulesRoutes } from "./soar-rules.routes.ts";
import { createSoarRulesService } from "./soar-rules.service.ts";

const caller = { kind: "user", username: "admin", role: "admin" } as const;
const RANSOM = { name: "ransom", condition: "severity:critical title:*encrypts*", playbook_id: "ransomware-host" };
const UNKNOWN = "019a0000-0000-7000-8000-0000000000ff";

/** No event is parked here; parked-events.itest.ts covers that. */
const UNPARKED = { park: (_: unknown, failure: unknown) => Promise.reject(failure) };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** The faked result of a start; executions have separate tests. */
type Answer = (request: AutomatedStart) => { execution_id: string } | { approval_id: string };

async function start(mode: Mode = "real", database: "fresh" | "none" = "fresh") {
  const platform: TestPlatform = await testPlatform(mode, database);
  closing.push(() => platform.close());
  const { db, runtime, ids, changes } = platform;
  let passedMs = 0;
  const clock = { ...createClock(), now: () => new Date(platform.clock.now().getTime() + passedMs) };
  const audit = createAuditStore(ids);
  const alerts = createAlertsService({
    runtime,
    stores: { database: createAlertsStore(db), showcase: createShowcaseAlertsStore([]) },
    compileQuery: compileAlertQuery,
    changes: createAlertChanges({ audit, clock }),
    cases: {
      open: async () => Promise.reject(new Error("unexpected case")),
      find: async () => undefined,
      note: async () => undefined,
    },
    audit,
    clock,
    ids,
  });
  const asked: AutomatedStart[] = [];
  let answer: Answer = () => ({ execution_id: ids.next() });
  const {
    services: { auditLog },
  } = createAuditLog(platform);
  const firings = createAutomationFirings({
    db,
    alerts,
    auditLog,
    executions: {
      async start(tx, request) {
        asked.push(request);
        const started = answer(request);
        // Writes in the transaction, to test that the write is rolled back with it.
        await audit.record(tx, {
          actor: request.actor,
          action: "execution.created",
          subject_type: "execution",
          subject_id: "x",
          details: {},
        });
        return started;
      },
      startApproved: async () => undefined,
    },
    audit,
    clock,
    log: silentLog,
  });
  const playbooks = {
    get: async (id: string) => {
      if (id !== "ransomware-host") throw notFound("playbook", id);
      return Promise.resolve({} as never);
    },
  };
  const automations = createAutomationsService({
    runtime,
    stores: {
      database: createAutomationsStore(db),
      showcase: createShowcaseAutomationsStore(buildShowcaseAutomations(clock.now())),
    },
    playbooks,
    audit,
    clock,
    ids,
  });
  const rules = createSoarRulesService({ runtime, rules: SOAR_RULES });
  const app = await featureApp(platform, automationsRoutes(automations, changes), soarRulesRoutes(rules));
  const call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, payload?: object, headers = {}) =>
    app.inject({ method, url: `/api/v1/soar${path}`, headers, ...(payload === undefined ? {} : { payload }) });
  const create = async (fields: object = {}) => (await call("POST", "/automations", { ...RANSOM, ...fields })).json();
  const raise = async (title: string, site?: string) =>
    (
      await changes.runAs(caller, "internal", (tx) =>
        alerts.create(tx, caller, { title, source: "edr", severity: "critical", host: "WS-1", ...(site && { site }) }),
      )
    ).result.alert;
  const consume = () => {
    const consumption = consumeAlerts({ outbox: outboxStream(platform), firings, parked: UNPARKED });
    closing.push(() => consumption.close());
  };
  /** A new consumer starts after the existing events and receives only later ones. */
  const consumeFromNow = async () => {
    consume();
    const cursors = sql`SELECT FROM stream_cursors WHERE consumer = 'automations'`;
    await expect.poll(async () => (await cursors.execute(db)).rows.length, { timeout: 10_000 }).toBe(1);
  };
  const listFirings = async (id: string) => (await call("GET", `/automations/${id}/firings`)).json();
  return {
    ...platform,
    alerts,
    firings,
    asked,
    call,
    create,
    raise,
    consume,
    consumeFromNow,
    listFirings,
    answerWith: (next: Answer) => {
      answer = next;
    },
    pass: (ms: number) => {
      passedMs += ms;
    },
  };
}

describe("automations", () => {
  it("creates, reads, changes and deletes automations and audits each change", async () => {
    const { call, db } = await start();
    const created = await call("POST", "/automations", { ...RANSOM, parameters: { minutes: 60 }, id: "mine" });
    expect(created.statusCode).toBe(201);
    const record = {
      id: expect.any(String),
      ...RANSOM,
      parameters: { minutes: 60 },
      enabled: true,
      cooldown_minutes: 0,
      last_fired_at: null,
      fired_24h: 0,
      created_by: "admin",
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect(created.json()).toEqual(record);
    const { id } = created.json();
    const etag = String(created.headers.etag);
    expect((await call("GET", "/automations", undefined, { "x-role": "auditor" })).json().items).toEqual([record]);
    const patched = await call("PATCH", `/automations/${id}`, { enabled: false }, { "if-match": etag });
    expect(patched.json()).toMatchObject({ id, enabled: false, name: "ransom" });
    expect((await call("PATCH", `/automations/${id}`, { enabled: true }, { "if-match": etag })).statusCode).toBe(409);
    expect((await call("DELETE", `/automations/${id}`)).json()).toEqual({ deleted: true, id });
    expect((await call("GET", `/automations/${id}`)).statusCode).toBe(404);
    const entries = await db.selectFrom("audit_log").select("action").orderBy("at").execute();
    expect(entries.map(({ action }) => action)).toEqual([
      "automation.created",
      "automation.updated",
      "automation.deleted",
    ]);
  });

  it("refuses an invalid automation and names the field", async () => {
    const { call, create } = await start();
    const { id } = await create();
    const other = await create({ name: "other" });
    const refusals: [number, Promise<{ statusCode: number; json(): { detail: string } }>, RegExp][] = [
      [
        400,
        call("POST", "/automations", { ...RANSOM, name: "b", condition: "titel:x" }),
        /^condition: there is no field/,
      ],
      [
        400,
        call("POST", "/automations", { ...RANSOM, name: "b", playbook_id: "none" }),
        /^playbook_id: playbook 'none'/,
      ],
      [400, call("POST", "/automations", { ...RANSOM, cooldown_minutes: -1 }), /^cooldown_minutes: /],
      [400, call("PATCH", `/automations/${id}`, {}), /^body: /],
      [409, call("POST", "/automations", RANSOM), /^name: automation 'ransom' already exists$/],
      [
        409,
        call("PATCH", `/automations/${other.id}`, { name: "ransom" }),
        /^name: automation 'ransom' already exists$/,
      ],
      [404, call("PATCH", `/automations/${UNKNOWN}`, { enabled: true }), /^automation '.*' does not exist$/],
      [404, call("DELETE", "/automations/nope"), /^automation 'nope' does not exist$/],
      [403, call("POST", "/automations", RANSOM, { "x-role": "tier3" }), /lacks soar:manage/],
    ];
    for (const [status, refused, why] of refusals) {
      const answered = await refused;
      expect([answered.statusCode, answered.json().detail]).toEqual([status, expect.stringMatching(why)]);
    }
  });
});

describe("automations on a new alert", () => {
  it("starts the playbook of each matching automation once, with the automation as actor", async () => {
    const { create, raise, consumeFromNow, asked, call, listFirings } = await start();
    const { id } = await create({ parameters: { minutes: 60 } });
    await create({ name: "disabled", enabled: false });
    await create({ name: "others", condition: "source:email-gateway" });
    await consumeFromNow();
    const alert = await raise("Something encrypts the share");
    await raise("Something encrypts the share");
    await raise("Nothing of note");
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(1);
    expect(asked).toEqual([
      {
        playbook_id: "ransomware-host",
        actor: "automation:ransom",
        alert_id: alert.id,
        case_id: null,
        parameters: { minutes: 60 },
        requesters: ["admin", "admin"],
        permissions: expect.arrayContaining(["soar:execute", "edr:manage"]),
        mayExecute: true,
      },
    ]);
    await expect.poll(async () => (await listFirings(id)).total).toBe(1);
    expect((await listFirings(id)).items[0]).toMatchObject({ alert_id: alert.id, outcome: "started", reason: null });
    expect((await call("GET", `/automations/${id}`)).json()).toMatchObject({
      fired_24h: 1,
      last_fired_at: expect.any(String),
    });
  });

  it("starts the playbook again for a reopened alert, but not for a repeated one", async () => {
    const { create, raise, consumeFromNow, asked, alerts, changes, listFirings, pass } = await start();
    const { id } = await create();
    await consumeFromNow();
    const alert = await raise("It encrypts");
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(1);
    await raise("It encrypts");
    await changes.runAs(caller, "internal", (tx) => alerts.update(tx, caller, alert.id, { status: "resolved" }));
    // The alert is seen again after its resolution, not in the same millisecond.
    pass(1000);
    expect(await raise("It encrypts")).toMatchObject({ id: alert.id, status: "new", reopened_count: 1 });
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(2);
    await raise("It encrypts");
    await raise("It encrypts with another key");
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(3);
    // The firing is stored after the playbook was requested.
    await expect
      .poll(() => listFirings(id), { timeout: 10_000 })
      .toMatchObject({ total: 2, items: [{ outcome: "started" }, { alert_id: alert.id }] });
  });

  it("handles an alert exactly once when the consumer is killed repeatedly", async () => {
    const { create, raise, consumeFromNow, asked, db, url } = await start();
    await create();
    await consumeFromNow();
    for (let number = 0; number < 20; number += 1) {
      await raise(`${number} encrypts`);
      if (number % 5 === 4) await killHolders({ url });
    }
    await expect
      .poll(async () => (await db.selectFrom("automation_firings").selectAll().execute()).length, { timeout: 20_000 })
      .toBe(20);
    const started = await db.selectFrom("audit_log").select("id").where("action", "=", "execution.created").execute();
    expect(started).toHaveLength(20);
    expect(new Set(asked.map(({ alert_id }) => alert_id)).size).toBe(20);
  });

  it("requests one approval for a critical playbook, even if the alert is handled twice", async () => {
    const { create, raise, firings, answerWith, asked, listFirings, ids } = await start();
    const { id } = await create();
    const approval_id = ids.next();
    answerWith(() => ({ approval_id }));
    const alert = await raise("It encrypts");
    await firings.consider(alert.id);
    await firings.consider(alert.id);
    expect(asked).toHaveLength(1);
    expect((await listFirings(id)).items).toMatchObject([
      { outcome: "pending_approval", approval_id, execution_id: null },
    ]);
  });

  it("starts nothing during the cooldown of the automation", async () => {
    const { create, raise, firings, asked, pass, listFirings } = await start();
    const { id } = await create({ cooldown_minutes: 10 });
    for (const name of ["first", "second"]) await firings.consider((await raise(`${name} encrypts`)).id);
    pass(10 * 60_000 + 1000);
    await firings.consider((await raise("third encrypts")).id);
    expect(asked).toHaveLength(2);
    const { items } = await listFirings(id);
    expect(items.map(({ outcome }: { outcome: string }) => outcome).toSorted()).toEqual([
      "cooling_down",
      "started",
      "started",
    ]);
  });

  it("counts the cooldown of each site separately", async () => {
    const { create, raise, firings, asked } = await start();
    await create({ cooldown_minutes: 10 });
    for (const site of ["Alpha", "Beta", "Alpha"])
      await firings.consider((await raise(`${site} ${asked.length} encrypts`, site)).id);
    expect(asked).toHaveLength(2);
  });

  it("records a refusal once and rolls back the refused start", async () => {
    const { create, raise, firings, answerWith, listFirings, db } = await start();
    const { id } = await create();
    answerWith(() => {
      throw new Problem("conflict", "playbook 'ransomware-host' is disabled");
    });
    const { id: alert_id } = await raise("It encrypts");
    await firings.consider(alert_id);
    await firings.consider(alert_id);
    expect((await listFirings(id)).items).toMatchObject([
      { outcome: "refused", reason: "playbook 'ransomware-host' is disabled" },
    ]);
    expect(await db.selectFrom("audit_log").selectAll().where("action", "=", "execution.created").execute()).toEqual(
      [],
    );
  });

  it("retries an alert after a temporary failure", async () => {
    const { create, raise, consumeFromNow, answerWith, asked, ids } = await start();
    await create();
    await consumeFromNow();
    answerWith(() => {
      if (asked.length < 3) throw new Problem("unavailable", "the database took too long");
      return { execution_id: ids.next() };
    });
    await raise("It encrypts");
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(3);
  });

  it("fires no automation in dummy mode", async () => {
    const { db, consume, asked, ids, clock } = await start("dummy");
    const now = clock.now();
    const alert = buildAlert({ title: "It encrypts", source: "edr", severity: "critical" }, ids.next(), now);
    await db.insertInto("alerts").values(alert).execute();
    await db
      .insertInto("automations")
      .values(
        buildAutomation(RANSOM, ids.next(), { username: "admin", permissions: ["soar:execute", "edr:manage"] }, now),
      )
      .execute();
    consume();
    await clock.sleep(700);
    await db.insertInto("outbox").values({ type: "alert.created", subject_id: alert.id, data: {} }).execute();
    await clock.sleep(700);
    expect(asked).toEqual([]);
    expect(await db.selectFrom("automation_firings").selectAll().execute()).toEqual([]);
  });

  it("deletes a firing after ninety days", async () => {
    const { create, raise, firings, pass, listFirings } = await start();
    const { id } = await create();
    await firings.consider((await raise("It encrypts")).id);
    expect(await firings.sweep()).toBe(0);
    pass(91 * 24 * 3_600_000);
    expect(await firings.sweep()).toBe(1);
    expect((await listFirings(id)).total).toBe(0);
  });
});

describe("automations by mode", () => {
  it("previews changes in dry_run and stores nothing", async () => {
    const { call } = await start("dry_run");
    expect((await call("POST", "/automations", RANSOM)).json()).toMatchObject({
      dry_run: true,
      preview: { ...RANSOM, fired_24h: 0 },
    });
    expect((await call("GET", "/automations")).json().total).toBe(0);
  });

  it("serves the showcase in dummy mode without a database and blocks changes", async () => {
    const { call } = await start("dummy", "none");
    expect((await call("GET", "/automations")).json()).toMatchObject({ total: 2 });
    expect((await call("POST", "/automations", RANSOM)).statusCode).toBe(403);
  });
});

describe("/soar/rules", () => {
  it.each(["fresh", "none"] as const)(
    "returns the rules in dummy mode with database '%s' and stores no toggle",
    async (database) => {
      const { call } = await start("dummy", database);
      const { items } = (await call("GET", "/rules")).json();
      expect(items.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([true, true, false]);
      const toggled = await call("POST", `/rules/${items[0].id}/toggle`);
      expect(toggled.statusCode).toBe(200);
      expect(toggled.json()).toEqual({ ...items[0], enabled: false, persisted: false });
      expect((await call("GET", "/rules")).json().items).toEqual(items);
      expect((await call("POST", "/rules/nope/toggle")).statusCode).toBe(404);
      expect((await call("POST", `/rules/${items[0].id}/toggle`, undefined, { "x-role": "tier3" })).statusCode).toBe(
        403,
      );
    },
  );

  it.each(["dry_run", "real"] as const)("lists no rules in %s mode and answers 503 to a toggle", async (mode) => {
    const { call } = await start(mode);
    const listed = await call("GET", "/rules");
    expect(listed.json()).toEqual({ items: [], total: 0, skip: 0, limit: 50, next_cursor: null });
    const refused = await call("POST", `/rules/${UNKNOWN}/toggle`);
    expect(refused.statusCode).toBe(503);
    expect(Object.keys(refused.json())).toEqual(["detail"]);
  });
});

import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import type { Frame } from "@kit/http/frame";
import { silentLog } from "@kit/log/silent";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestFrame } from "../../../testing/harness/test-frame.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import { createCases } from "../../cases/cases/cases.feature.ts";
import { createCasesStore } from "../../cases/cases/cases.store.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { createBase } from "../../foundation/base.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Database } from "../../foundation/database/tables.ts";
import { requireMode } from "../../foundation/runtime/require-mode.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { createShowcaseClock } from "../../foundation/showcase/showcase-clock.ts";
import { LOCAL_YAML } from "../../foundation/yaml/local-yaml.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { createAlerts } from "../module.ts";
import type { Alert } from "./alert.ts";
import { createAlertChanges } from "./alert-changes.ts";
import { ALERT_SORTS, ALERT_STATUSES, SEVERITIES } from "./alerts.schema.ts";

const UNKNOWN_ID = "019680aa-0000-7000-8000-000000000000";
const NOOR: Caller = { kind: "user", username: "noor", role: "tier2" };
const SENSOR: Caller = { kind: "api_key", username: "sensor", role: "agent" };

// Many alerts share a millisecond because the clock stands still unless a test advances it.
const clock = createFakeClock(new Date("2026-05-01T08:00:00Z"));
const ids = createIds(clock);
let database: Database;
let real: Frame;

beforeAll(async () => {
  const { url } = await freshDatabase();
  database = createDatabase({
    url,
    migrationsFolder: join(import.meta.dirname, "../../migrations"),
    clock: createClock(),
    log: silentLog,
    // A generous limit: many tests share one server, and another test covers the timeout.
    limits: { answerMs: 10_000 },
    onFirstAnswer: async () => undefined,
  });
  real = await appIn("real");
});

afterAll(() => database.close());

const NO_LEDGER = {
  append: async () => {
    throw new Error("no case is deleted here");
  },
};

async function appIn(mode: Mode, caller = NOOR): Promise<Frame> {
  const showcase = createShowcaseClock(clock, buildShowcase);
  const base = createBase({ yaml: LOCAL_YAML, mode, database, showcase, clock, ids, log: silentLog });
  const changes = createAlertChanges(base);
  const cases = createCases(base, { alerts: changes, ledger: NO_LEDGER });
  const {
    registrations: { routes },
  } = createAlerts(base, { ...cases.services, changes, compileQuery: compileAlertQuery });
  const app = createTestFrame();
  app.decorateRequest("caller", null);
  app.addHook("onRequest", async (request) => {
    request.caller = caller;
  });
  requireMode(app, () => base.runtime.truth());
  for (const plugin of [...routes, ...cases.registrations.routes]) await app.register(plugin);
  return app;
}

const get = (url: string, app = real) => app.inject({ url });
const post = (url: string, body?: object, app = real) =>
  app.inject({ method: "POST", url, ...(body && { payload: body }) });
const patch = (url: string, body: object, headers: Record<string, string> = {}) =>
  real.inject({ method: "PATCH", url, payload: body, headers });

const listStatuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => `${statusCode}`).toSorted();

let sources = 0;
/** Returns a source that no other test uses, so that tests can share the table. */
function newSource(): string {
  sources += 1;
  return `source-${sources}`;
}

async function report(fields: object = {}): Promise<Alert> {
  const created = await post("/alerts", { title: `finding ${ids.next()}`, source: newSource(), ...fields });
  expect([200, 201]).toContain(created.statusCode);
  return created.json();
}

async function openCase(status: "open" | "closed" = "open"): Promise<string> {
  const { id } = (await post("/cases", { title: "Intrusion", severity: "high" })).json();
  if (status === "closed") await closeCase(id);
  return id;
}

async function closeCase(id: string): Promise<void> {
  await database.db
    .updateTable("cases")
    .set({ status: "closed", closed_at: clock.now() })
    .where("id", "=", id)
    .execute();
}

async function readAudit(subject_id: string): Promise<string[]> {
  const entries = await database.db
    .selectFrom("audit_log")
    .innerJoin("outbox", "outbox.subject_id", "audit_log.subject_id")
    .whereRef("outbox.type", "=", "audit_log.action")
    .select(["audit_log.id", "action"])
    .distinct()
    .where("audit_log.subject_id", "=", subject_id)
    .execute();
  return entries.map(({ action }) => action).toSorted();
}

describe("the status of an alert report", () => {
  it.each(ALERT_STATUSES)("stores the reported status as %s", async (status) => {
    const made = await post("/alerts", { title: `reported as ${status}`, source: "s", status });
    expect([made.statusCode, made.json().status]).toEqual([201, status]);
    expect((await get(`/alerts/${made.json().id}`)).json()).toMatchObject({ status });
  });

  it("ignores the status of a repeat and refuses an unknown one", async () => {
    const first = await post("/alerts", { title: "reported twice", source: "s", status: "triaged" });
    const again = await post("/alerts", { title: "reported twice", source: "s", status: "investigating" });
    expect(again.json()).toMatchObject({ id: first.json().id, status: "triaged" });
    const refused = await post("/alerts", { title: "x", source: "s", status: "done" });
    expect([refused.statusCode, refused.json().detail]).toEqual([400, expect.stringMatching(/^status: /)]);
  });
});

describe("alert reports", () => {
  it("creates an alert with the documented fields and defaults", async () => {
    const source = newSource();
    const created = await post("/alerts", {
      title: "Beacon",
      source,
      severity_score: 3,
      id: "mine",
      verdict: "false_positive",
    });
    expect(created.statusCode).toBe(201);
    expect(created.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      title: "Beacon",
      description: null,
      source,
      severity: "medium",
      status: "new",
      iocs: [],
      occurrence_count: 1,
      first_seen: "2026-05-01T08:00:00.000Z",
      last_seen: "2026-05-01T08:00:00.000Z",
      event_first_at: null,
      event_last_at: null,
      reopened_count: 0,
      reopened_at: null,
      case_id: null,
      rule_id: null,
      log_ids: [],
      mitre_techniques: [],
      host: null,
      user: null,
      site: null,
      entities: { hosts: [], users: [], addresses: [], is_complete: true },
      group: null,
      risk_score: null,
      assignee: null,
      acknowledged_at: null,
      acknowledged_by: null,
      resolved_at: null,
      resolution: null,
      verdict: null,
      verdict_at: null,
      suppressed_since_verdict: 0,
      tags: [],
      created_at: "2026-05-01T08:00:00.000Z",
      updated_at: "2026-05-01T08:00:00.000Z",
    });
    expect((await get(`/alerts/${created.json().id}`)).json()).toEqual(created.json());
    expect(await readAudit(created.json().id)).toEqual(["alert.created"]);
  });

  it("creates one alert when fifty sensors report the same finding concurrently", async () => {
    const finding = { title: "Beacon", source: newSource(), iocs: ["evil.example", "10.0.0.9"] };
    const answers = await Promise.all(Array.from({ length: 50 }, () => post("/alerts", finding)));
    expect(listStatuses(answers)).toEqual([...Array(49).fill("200"), "201"]);
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
    const { items, total } = (await get(`/alerts?source=${finding.source}`)).json();
    expect({ total, count: items[0].occurrence_count }).toEqual({ total: 1, count: 50 });
    expect(await readAudit(items[0].id)).toEqual(["alert.created", ...Array(49).fill("alert.repeated")]);
  });
});

describe("alert changes", () => {
  it("sets the documented fields and audits the change", async () => {
    const { id } = await report();
    const fields = { assignee: "noor", severity: "high", verdict: "true_positive", resolution: "fixed", tags: ["apt"] };
    const updated = await patch(`/alerts/${id}`, { ...fields, status: "resolved", title: "mine" });
    const now = clock.now().toISOString();
    expect(updated.statusCode).toBe(200);
    expect(updated.json()).toMatchObject({ ...fields, status: "resolved", resolved_at: now, acknowledged_by: "noor" });
    expect(updated.json().title).not.toBe("mine");
    expect((await patch(`/alerts/${id}`, { assignee: null })).json().assignee).toBeNull();
    expect(await readAudit(id)).toEqual(["alert.created", "alert.updated", "alert.updated"]);
  });

  it("refuses If-Match after another change, but not after a counted recurrence", async () => {
    const finding = { title: "Beacon", source: newSource() };
    const { id } = await report(finding);
    const etag = String((await get(`/alerts/${id}`)).headers.etag);
    await post("/alerts", finding);
    const first = await patch(`/alerts/${id}`, { status: "triaged" }, { "if-match": etag });
    expect(first.statusCode).toBe(200);
    const second = await patch(`/alerts/${id}`, { status: "closed" }, { "if-match": etag });
    expect([second.statusCode, second.json().detail]).toEqual([409, expect.stringMatching(/^If-Match: /)]);
    const third = await patch(`/alerts/${id}`, { status: "closed" }, { "if-match": String(first.headers.etag) });
    expect(third.statusCode).toBe(200);
  });

  it("lets one change succeed when many start from the same version", async () => {
    const { id } = await report();
    const headers = { "if-match": String((await get(`/alerts/${id}`)).headers.etag) };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => patch(`/alerts/${id}`, { assignee: `analyst-${at}` }, headers)),
    );
    expect(listStatuses(answers)).toEqual(["200", ...Array(7).fill("409")]);
  });

  it("changes many alerts completely or not at all", async () => {
    const alerts = [await report(), await report(), await report()];
    const all = alerts.map(({ id }) => id);
    const done = await post("/alerts/bulk", { ids: all, status: "triaged", tags: ["wave"] });
    expect(done.statusCode).toBe(200);
    expect(done.json().items).toHaveLength(3);
    await patch(`/alerts/${all[2]}`, { status: "closed" });
    const refused = await post("/alerts/bulk", { ids: [...all, UNKNOWN_ID], status: "resolved" });
    expect([refused.statusCode, refused.json().detail]).toEqual([404, `alert '${UNKNOWN_ID}' does not exist`]);
    expect((await post("/alerts/bulk", { ids: all, status: "new" })).statusCode).toBe(409);
    const statuses = await Promise.all(all.map(async (id) => (await get(`/alerts/${id}`)).json().status));
    expect(statuses).toEqual(["triaged", "triaged", "closed"]);
  });

  it("changes the same alerts in different orders without a deadlock", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, async () => (await report()).id));
    const answers = await Promise.all(
      [all, all.toReversed(), all, all.toReversed()].map((each, at) =>
        post("/alerts/bulk", { ids: each, assignee: `analyst-${at}` }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const assignees = await Promise.all(all.map(async (id) => (await get(`/alerts/${id}`)).json().assignee));
    expect(new Set(assignees).size).toBe(1);
  });
});

describe("alert promotion", () => {
  it("opens a case with the alert and sets the alert to investigating", async () => {
    const { id, title } = await report({ severity: "critical", description: "Seen on ws-7" });
    const promoted = await post(`/alerts/${id}/promote`);
    expect(promoted.statusCode).toBe(201);
    expect(promoted.json()).toMatchObject({ title, severity: "critical", status: "open", description: "Seen on ws-7" });
    const alert = (await get(`/alerts/${id}`)).json();
    expect(alert).toMatchObject({ status: "investigating", case_id: promoted.json().id, acknowledged_by: "noor" });
    expect(await readAudit(id)).toEqual(["alert.created", "alert.promoted"]);
  });

  it("accepts description and assignee for the case", async () => {
    const { id } = await report();
    const promoted = await post(`/alerts/${id}/promote`, { description: "Mine", assignee: "sam@example.org" });
    expect(promoted.json()).toMatchObject({ description: "Mine", assignee: "sam@example.org" });
  });

  it("refuses to promote an alert again until its case is closed", async () => {
    const { id } = await report();
    const first = await post(`/alerts/${id}/promote`, {});
    const second = await post(`/alerts/${id}/promote`, {});
    expect([second.statusCode, second.json().detail]).toEqual([409, expect.stringContaining(first.json().id)]);
    await closeCase(first.json().id);
    const third = await post(`/alerts/${id}/promote`, {});
    expect(third.statusCode).toBe(201);
    expect((await get(`/alerts/${id}`)).json().case_id).toBe(third.json().id);
  });

  it("opens one case when ten callers promote concurrently", async () => {
    const { id, title } = await report();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(`/alerts/${id}/promote`, {})));
    expect(listStatuses(answers)).toEqual(["201", ...Array(9).fill("409")]);
    expect(await database.db.selectFrom("cases").select("id").where("title", "=", title).execute()).toHaveLength(1);
  });
});

describe("an alert and its case", () => {
  it("links alert and case and records it in the timeline of the case", async () => {
    const [{ id }, case_id] = [await report(), await openCase()];
    const linked = await post(`/alerts/${id}/case-link`, { case_id });
    expect([linked.statusCode, linked.json()]).toMatchObject([200, { id, case_id, status: "investigating" }]);
    expect((await post(`/alerts/${id}/case-link`, { case_id })).json()).toEqual(linked.json());
    const { items } = await createCasesStore(database.db).timeline(case_id, { limit: 10 });
    expect(items[0]).toMatchObject({ agent: "noor", action: `linked alert ${id}` });
    expect((await get(`/alerts?case_id=${case_id}`)).json()).toMatchObject({ total: 1, items: [{ id }] });
  });

  it("moves the alert to another case and records it in both timelines", async () => {
    const [{ id }, from, to] = [await report(), await openCase(), await openCase()];
    await post(`/alerts/${id}/case-link`, { case_id: from });
    expect((await post(`/alerts/${id}/case-link`, { case_id: to })).json().case_id).toBe(to);
    const { items } = await createCasesStore(database.db).timeline(from, { limit: 10 });
    expect(items[0]).toMatchObject({ action: `moved alert ${id} to case ${to}` });
  });

  it("unlinks the alerts of a deleted case and sets them to triaged", async () => {
    const case_id = await openCase();
    const [open, over] = [await report(), await report()];
    await patch(`/alerts/${over.id}`, { status: "resolved" });
    const link = (id: string) => post(`/alerts/${id}/case-link`, { case_id });
    expect((await link(over.id)).json().status).toBe("resolved");
    await link(open.id);
    const changes = createAlertChanges({ audit: createAuditStore(ids), clock });
    await database.db.transaction().execute((tx) => changes.returnToTriaged(tx, NOOR, case_id));
    for (const { id } of [open, over]) {
      const alert = (await get(`/alerts/${id}`)).json();
      expect(alert).toMatchObject({ status: "triaged", case_id: null, resolved_at: null });
    }
    expect(await readAudit(open.id)).toEqual(["alert.created", "alert.linked", "alert.unlinked"]);
  });
});

describe("alert list", () => {
  it("filters by each parameter and by all of them together", async () => {
    const source = newSource();
    const wanted = await report({ source, title: "Beacon to evil.example", severity: "high", assignee: "sam" });
    const other = await report({ source, title: "Logon at night" });
    await patch(`/alerts/${wanted.id}`, { status: "triaged" });
    const idsBy = async (query: string) =>
      (await get(`/alerts?source=${source}&${query}`)).json().items.map(({ id }: Alert) => id);
    expect(new Set(await idsBy(""))).toEqual(new Set([wanted.id, other.id]));
    for (const query of ["severity=high", "status=triaged", "assignee=sam", "q=evil.exam", "q=EXAMPLE%20beacon"]) {
      expect([query, await idsBy(query)]).toEqual([query, [wanted.id]]);
    }
    expect(await idsBy("severity=high&status=triaged&assignee=sam&q=beacon")).toEqual([wanted.id]);
    expect(await idsBy("severity=high&status=new")).toEqual([]);
    expect(await idsBy("q=eacon")).toEqual([]);
    expect(await idsBy("q=beacon'%20%7C%20night:*%20!")).toEqual([]);
  });

  it("accepts several values per filter and filters by entity, rule, site, tag, technique and time", async () => {
    const source = newSource();
    const since = clock.now().toISOString();
    const on = { host: "WS-7.corp.example", user: "CORP\\ann", site: "office", severity: "high" };
    const wanted = await report({ source, ...on, tags: ["apt"], mitre_techniques: ["T1566.002"] });
    const other = await report({ source, host: "WS-8", severity: "low" });
    await clock.advance(60_000);
    const later = await report({ source, severity: "info" });
    const idsBy = async (query: string) =>
      (await get(`/alerts?source=${source}&sort=created_at&${query}`)).json().items.map(({ id }: Alert) => id);
    for (const query of ["severity=high,low", "severity=high&severity=low", "host=ws-7,ws-8", "q=ws"]) {
      expect([query, await idsBy(query)]).toEqual([query, [wanted.id, other.id]]);
    }
    for (const query of [
      "host=WS-7",
      "user=ann@corp.example",
      "site=office",
      "tag=none,apt",
      "technique=t1566",
      "q=ann",
    ]) {
      expect([query, await idsBy(query)]).toEqual([query, [wanted.id]]);
    }
    const middle = encodeURIComponent(clock.now().toISOString());
    expect(await idsBy(`from=${middle}`)).toEqual([later.id]);
    expect(await idsBy(`from=${since}&to=${middle}`)).toEqual([wanted.id, other.id]);
    expect(await idsBy("technique=T1566.001")).toEqual([]);
    expect(await idsBy("unknown=1&severity=info")).toEqual([later.id]);
    await patch(`/alerts/${other.id}`, { tags: ["apt"] });
    expect(await idsBy("tag=apt")).toEqual([wanted.id, other.id]);
  });

  it("keeps pages stable in every order while alerts arrive", async () => {
    const severities = fc.array(fc.constantFrom(...SEVERITIES), { minLength: 1, maxLength: 12 });
    const runs = fc.record({
      sort: fc.constantFrom(...ALERT_SORTS),
      limit: fc.integer({ min: 1, max: 5 }),
      before: severities,
      between: fc.constantFrom(...SEVERITIES),
      stepMs: fc.integer({ min: 0, max: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ sort, limit, before, between, stepMs }) => {
        const source = newSource();
        const alerts: Alert[] = [];
        for (const severity of before) {
          alerts.push(await report({ source, severity }));
          await clock.advance(stepMs);
        }
        const known = new Set(alerts.map(({ id }) => id));
        const seen: Alert[] = [];
        let arriving = 12;
        for (let cursor: string | null = ""; cursor !== null; ) {
          const page = await get(
            `/alerts?source=${source}&sort=${sort}&limit=${limit}${cursor && `&cursor=${cursor}`}`,
          );
          const { items, next_cursor }: { items: Alert[]; next_cursor: string | null } = page.json();
          seen.push(...items.filter(({ id }) => known.has(id)));
          cursor = seen.length < known.size ? next_cursor : null;
          // Bounded: with a page size of one, the list would never progress if every new alert began the next page.
          if (arriving-- > 0) await report({ source, severity: between });
        }
        expect(seen.map(({ id }) => id)).toEqual(sorted(alerts, sort).map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });

  it("counts exactly up to 10,000 alerts and estimates above", async () => {
    const source = newSource();
    const add = (from: number, to: number) =>
      sql`
        INSERT INTO alerts (id, fingerprint, title, source, severity, status, iocs, occurrence_count, first_seen,
          last_seen, reopened_count, log_ids, mitre_techniques, tags, created_at, updated_at)
        SELECT gen_random_uuid(), encode(sha256(convert_to(${source} || n, 'UTF8')), 'hex'), 'Flood', ${source}, 'low',
          'new', '{}', 1, now(), now(), 0, '{}', '{}', '{}', now(), now()
        FROM generate_series(${from}::int, ${to}::int) AS n`.execute(database.db);
    for (let at = 1; at < 10_000; at += 500) await add(at, at + 499);
    const exact = (await get(`/alerts?source=${source}&limit=1`)).json();
    expect(exact).toMatchObject({ total: 10_000, limit: 1 });
    expect(exact).not.toHaveProperty("total_is_estimate");
    await add(10_001, 10_001);
    const estimate = (await get(`/alerts?source=${source}&limit=1&skip=10000`)).json();
    expect(estimate).toMatchObject({ total_is_estimate: true, skip: 10_000, next_cursor: null });
    expect(estimate.total).toBeGreaterThan(10_000);
    expect(estimate.items).toHaveLength(1);
  });
});

function sorted(alerts: Alert[], sort: (typeof ALERT_SORTS)[number]): Alert[] {
  const rank = ({ severity }: Alert) => 5 - SEVERITIES.indexOf(severity);
  const column = sort.replace("-", "");
  const keyOf = (alert: Alert) =>
    [
      column === "severity" ? rank(alert) : "",
      column === "last_seen" ? alert.last_seen : alert.created_at,
      alert.id,
    ].join();
  const ascending = alerts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return sort.startsWith("-") ? ascending.toReversed() : ascending;
}

describe("alert context", () => {
  it("returns alerts with the same host, user or IOC within a day, newest first, at most fifty", async () => {
    const [host, user, ioc] = [newSource(), newSource(), "x".repeat(2048)];
    const tooOld = await report({ host, user, iocs: [ioc] });
    await clock.advance(60_000);
    const onHost = await report({ host });
    const ofUser = await report({ user });
    const withIoc = await report({ iocs: ["other", ioc] });
    await clock.advance(24 * 60 * 60_000 - 60_000 + 1);
    const alert = await report({ host, user, iocs: [ioc, "more"] });
    const context = (await get(`/alerts/${alert.id}/context`)).json();
    const found = [context.same_host, context.same_user, context.same_ioc].map(([first]: Alert[]) => first?.id);
    expect(found).toEqual([onHost.id, ofUser.id, withIoc.id]);
    expect(JSON.stringify(context)).not.toContain(tooOld.id);
    for (let at = 0; at < 51; at += 1) await report({ host });
    expect((await get(`/alerts/${alert.id}/context`)).json().same_host).toHaveLength(50);
  });
});

describe("refusals of alert routes", () => {
  const long = (size: number) => "x".repeat(size);

  it.each([
    ["/alerts?limit=201", 400, /^limit: must be an integer from 1 to 200$/],
    ["/alerts?limit=0", 400, /^limit: /],
    ["/alerts?skip=-1", 400, /^skip: /],
    ["/alerts?severity=high,bad", 400, /^severity: must be one of critical, high, medium, low, info$/],
    ["/alerts?severity=bad", 400, /^severity: must be one of critical, high, medium, low, info$/],
    ["/alerts?status=open", 400, /^status: must be one of new, /],
    ["/alerts?source=", 400, /^source: /],
    ["/alerts?source=%00", 400, /^source: /],
    ["/alerts?case_id=1", 400, /^case_id: /],
    ["/alerts?sort=title", 400, /^sort: must be one of -created_at, /],
    ["/alerts?q=!", 400, /^q: /],
    ["/alerts?from=yesterday", 400, /^from: /],
    ["/alerts?from=2026-05-02T00:00:00Z&to=2026-05-01T00:00:00Z", 400, /^from: must be before to$/],
    ["/alerts?cursor=abc", 400, /^cursor: /],
    ["/alerts/nope", 404, /^alert 'nope' does not exist$/],
    [`/alerts/${UNKNOWN_ID}`, 404, /^alert '019680aa/],
    [`/alerts/${UNKNOWN_ID}/context`, 404, /^alert '019680aa/],
  ])("answers GET %s with %i", async (url, status, why) => {
    const refused = await get(url);
    expect([refused.statusCode, refused.json()]).toEqual([status, { detail: expect.stringMatching(why) }]);
  });

  it.each([
    ["/alerts", 400, /^title: is required$/, { source: "edr" }],
    ["/alerts", 400, /^source: is required$/, { title: "Beacon" }],
    ["/alerts", 400, /^title: must be a text of 1 to 500 characters$/, { title: "", source: "edr" }],
    ["/alerts", 400, /^title: /, { title: long(501), source: "edr" }],
    ["/alerts", 400, /^title: /, { title: "a\0b", source: "edr" }],
    ["/alerts", 400, /^title: must not be blank$/, { title: " \t\u3000", source: "edr" }],
    ["/alerts", 400, /^source: must not be blank$/, { title: "Beacon", source: " " }],
    ["/alerts", 400, /^severity: /, { title: "Beacon", source: "edr", severity: "urgent" }],
    ["/alerts", 400, /^iocs: /, { title: "Beacon", source: "edr", iocs: "evil.example" }],
    ["/alerts", 400, /^iocs\.0: /, { title: "Beacon", source: "edr", iocs: [1] }],
    ["/alerts", 400, /^risk_score: /, { title: "Beacon", source: "edr", risk_score: 101 }],
    ["/alerts/bulk", 400, /^ids: /, { ids: [], status: "closed" }],
    ["/alerts/bulk", 400, /^ids\.0: /, { ids: ["nope"], status: "closed" }],
    ["/alerts/bulk", 400, /^ids: .* 1 to 500 items$/, { ids: Array(501).fill(UNKNOWN_ID), status: "closed" }],
    ["/alerts/bulk", 400, /^body: must have status, /, { ids: [UNKNOWN_ID] }],
    [`/alerts/${UNKNOWN_ID}/promote`, 404, /^alert /, {}],
    [`/alerts/${UNKNOWN_ID}/promote`, 400, /^assignee: /, { assignee: 1 }],
    [`/alerts/${UNKNOWN_ID}/case-link`, 400, /^case_id: is required$/, {}],
    [`/alerts/${UNKNOWN_ID}/case-link`, 404, /^alert '019680aa/, { case_id: UNKNOWN_ID }],
  ])("answers POST %s with %i because of %s", async (url, status, why, body) => {
    const refused = await post(url, body);
    expect([refused.statusCode, refused.json()]).toEqual([status, { detail: expect.stringMatching(why) }]);
  });

  it("answers a link to a missing case with 404", async () => {
    const { id } = await report();
    const refused = await post(`/alerts/${id}/case-link`, { case_id: UNKNOWN_ID });
    expect([refused.statusCode, refused.json()]).toEqual([404, { detail: `case '${UNKNOWN_ID}' does not exist` }]);
  });

  it.each([
    [{}, 400, /^body: must have status, /],
    [{ title: "mine" }, 400, /^body: must have status, /],
    [{ status: "open" }, 400, /^status: /],
    [{ verdict: "maybe" }, 400, /^verdict: /],
    [{ status: "false_positive", verdict: "true_positive" }, 400, /^verdict: must be false_positive or needs_tuning /],
    [{ tags: [""] }, 400, /^tags\.0: /],
    [{ resolution: "a\0" }, 400, /^resolution: /],
    [{ status: "new" }, 409, /^status: .* cannot be set back to new$/],
  ])("answers PATCH with %j with %i", async (body, status, why) => {
    const { id } = await report();
    await patch(`/alerts/${id}`, { status: "triaged" });
    const refused = await patch(`/alerts/${id}`, body);
    expect([refused.statusCode, refused.json()]).toEqual([status, { detail: expect.stringMatching(why) }]);
  });
});

describe("runtime modes of alert routes", () => {
  it("returns a preview to an analyst in dry_run and stores nothing", async () => {
    const app = await appIn("dry_run");
    const [alert, source] = [await report(), newSource()];
    const created = await post("/alerts", { title: "Beacon", source }, app);
    expect([created.statusCode, created.json()]).toMatchObject([
      200,
      { dry_run: true, preview: { title: "Beacon", status: "new" } },
    ]);
    const promoted = await post(`/alerts/${alert.id}/promote`, undefined, app);
    expect([promoted.statusCode, promoted.json()]).toMatchObject([200, { dry_run: true, preview: { status: "open" } }]);
    const bulk = await post("/alerts/bulk", { ids: [alert.id], status: "closed" }, app);
    expect(bulk.json()).toMatchObject({ dry_run: true, preview: { items: [{ id: alert.id, status: "closed" }] } });
    expect((await get(`/alerts/${alert.id}`)).json()).toEqual(alert);
    expect((await get(`/alerts?source=${source}`)).json().total).toBe(0);
    expect(await readAudit(alert.id)).toEqual(["alert.created"]);
    expect(await readAudit(created.json().preview.id)).toEqual([]);
  });

  it("stores reports of a sensor's key in dry_run and previews other changes with the key", async () => {
    const app = await appIn("dry_run", SENSOR);
    const created = await post("/alerts", { title: "Beacon", source: newSource() }, app);
    expect(created.statusCode).toBe(201);
    const { id } = created.json();
    expect((await post("/alerts/bulk", { ids: [id], status: "closed" }, app)).json().dry_run).toBe(true);
    expect((await get(`/alerts/${id}`, app)).json()).toEqual(created.json());
  });

  it("blocks every change in dummy before it reads the body", async () => {
    const app = await appIn("dummy", SENSOR);
    for (const url of ["/alerts", "/alerts/bulk", `/alerts/${UNKNOWN_ID}/promote`, `/alerts/${UNKNOWN_ID}/case-link`]) {
      const refused = await post(url, { nonsense: true }, app);
      const detail = "Runtime mode 'dummy' blocks this change";
      expect([refused.statusCode, refused.json()]).toEqual([403, { detail }]);
    }
    expect((await get("/alerts?limit=1", app)).statusCode).toBe(200);
  });
});

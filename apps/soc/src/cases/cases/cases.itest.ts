import { createHash } from "node:crypto";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { notFound } from "@kit/problem";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestFrame } from "../../../testing/harness/test-frame.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import { buildAlert } from "../../alerts/alerts/alert.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import type { Database } from "../../foundation/database/tables.ts";
import { createChangesService } from "../../foundation/runtime/changes.service.ts";
import { requireMode } from "../../foundation/runtime/require-mode.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { createRuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { FindOpenApproval } from "./case-decisions.service.ts";
import { caseItemsRoutes } from "./case-items.routes.ts";
import { createCaseItemsService } from "./case-items.service.ts";
import { createCaseReads } from "./case-reads.store.ts";
import { casesRoutes } from "./cases.routes.ts";
import { type CaseLedger, createCasesService, type LinkedAlerts } from "./cases.service.ts";
import { createShowcaseCaseReads } from "./cases.showcase.ts";
import { evidenceRoutes } from "./evidence.routes.ts";
import { createEvidenceService } from "./evidence.service.ts";

const clock = createClock();
const ids = createIds(clock);
const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";
const SHA256 = "a".repeat(64);

const alerts: LinkedAlerts = {
  lock: (tx, _scope, alert_ids) => tx.selectFrom("alerts").select("site").where("id", "in", alert_ids).execute(),
  async link(tx, _caller, alert_ids, case_id) {
    for (const id of alert_ids) {
      const { numUpdatedRows } = await tx
        .updateTable("alerts")
        .set({ case_id, status: "investigating" })
        .where("id", "=", id)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw notFound("alert", id);
    }
    return [];
  },
  async returnToTriaged(tx, _caller, case_id) {
    await tx.updateTable("alerts").set({ case_id: null, status: "triaged" }).where("case_id", "=", case_id).execute();
  },
};

const approvals = new Map<string, string>();
const findOpenApproval: FindOpenApproval = async (_tx, [id = ""]) => approvals.get(id);

const ledger: CaseLedger = {
  async append(tx, case_id, { kind, actor, body }) {
    const entries = tx.selectFrom("ledger_entries").where("case_id", "=", case_id);
    const head = await entries.select(["sequence", "entry_hash"]).orderBy("sequence", "desc").executeTakeFirst();
    const sequence = (head?.sequence ?? 0) + 1;
    const previous_hash = head?.entry_hash ?? "0".repeat(64);
    const text = JSON.stringify(body);
    const entry_hash = createHash("sha256").update(previous_hash).update(text).digest("hex");
    await sql`INSERT INTO ledger_entries (case_id, sequence, previous_hash, entry_hash, kind, actor, at, body)
      VALUES (${case_id}, ${sequence}, ${previous_hash}, ${entry_hash}, ${kind}, ${actor}, now(), ${text})`.execute(tx);
    return { sequence, previous_hash, entry_hash };
  },
};

let database: Database;
let apps: Record<Mode, Awaited<ReturnType<typeof createCasesApp>>>;

beforeAll(async () => {
  const { url } = await freshDatabase();
  const migrationsFolder = join(import.meta.dirname, "../../migrations");
  const onFirstAnswer = async () => undefined;
  database = createDatabase({ url, migrationsFolder, clock, log: silentLog, onFirstAnswer });
  apps = {
    dummy: await createCasesApp("dummy"),
    dry_run: await createCasesApp("dry_run"),
    real: await createCasesApp("real"),
  };
});

afterAll(() => database.close());

/** The role of the caller comes from a header; default: tier2. */
async function createCasesApp(mode: Mode, isAvailable = () => database.isAvailable()) {
  const runtime = createRuntimeService({ mode, database: { isAvailable } });
  const changes = createChangesService({ runtime, db: database.db });
  const audit = createAuditStore(ids);
  const reads = { database: createCaseReads(database.db), showcase: createShowcaseCaseReads([]) };
  const cases = createCasesService({ runtime, reads, audit, alerts, ledger, findOpenApproval, clock, ids });
  const app = createTestFrame();
  app.decorateRequest("caller", null);
  app.addHook("onRequest", async (request) => {
    const role = ROLES.find((known) => known === request.headers["x-role"]) ?? "tier2";
    request.caller = { kind: "user", username: `${role}-person`, role };
  });
  requireMode(app, () => runtime.truth());
  await app.register(casesRoutes(cases, changes));
  await app.register(caseItemsRoutes(createCaseItemsService({ cases, audit, clock, ids }), changes));
  await app.register(evidenceRoutes(createEvidenceService({ cases, ledger, audit, clock, ids }), changes));
  const ask = (method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object, headers = {}) =>
    app.inject({ method, url, headers, ...(payload && { payload }) });
  const open = async (payload: object = {}): Promise<string> =>
    (await ask("POST", "/cases", { title: "Odd sign-ins", ...payload })).json().id;
  const actions = async (case_id: string): Promise<string[]> => {
    const detail = (await ask("GET", `/cases/${case_id}`)).json();
    return detail.timeline.map(({ action }: { action: string }) => action);
  };
  return { ask, open, actions };
}

async function storeAlert(title: string): Promise<string> {
  const alert = buildAlert({ title, source: "edr" }, ids.next(), clock.now());
  await database.db.insertInto("alerts").values(alert).execute();
  return alert.id;
}

const TABLES = [
  "cases",
  "case_timeline",
  "case_observables",
  "case_evidence",
  "case_custody",
  "case_comments",
  "case_tasks",
  "ledger_entries",
  "audit_log",
  "outbox",
] as const;

async function countAll(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(database.db);
    counts[table] = rows[0]?.n ?? -1;
  }
  return counts;
}

describe("cases API", () => {
  it("opens a case with its alerts and answers with the stored case", async () => {
    const { ask } = apps.real;
    const alert_id = await storeAlert("opened with a case");
    const created = await ask("POST", "/cases", {
      title: "Odd sign-ins",
      severity: "high",
      description: "From two countries",
      assignee: "noor@example.com",
      due_at: "2026-12-01T12:00:00+03:00",
      alert_ids: [alert_id, alert_id],
      unknown: "dropped",
    });
    expect(created.statusCode).toBe(201);
    const opened = created.json();
    expect(opened).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: "Odd sign-ins",
      severity: "high",
      description: "From two countries",
      status: "open",
      assignee: "noor@example.com",
      requires_human_approval: false,
      due_at: "2026-12-01T09:00:00.000Z",
      mitre_techniques: [],
      tags: [],
      sla: { respond_by: null, resolve_by: null, responded_at: null, resolved_at: null, state: null },
      template_id: null,
      merged_into: null,
      closed_at: null,
      created_at: expect.any(String),
      updated_at: opened.created_at,
    });
    const read = await ask("GET", `/cases/${opened.id.toUpperCase()}`);
    expect(read.json()).toEqual({
      ...opened,
      merged_from: [],
      timeline: [{ agent: "tier2-person", action: "case opened: Odd sign-ins", timestamp: expect.any(String) }],
      observables: [],
      evidence: [],
      comments: [],
      tasks: [],
      totals: { timeline: 1, observables: 0, evidence: 0, comments: 0, tasks: 0 },
    });
    expect(read.headers.etag).toBe(created.headers.etag);
    const linked = database.db.selectFrom("alerts").select("case_id").where("id", "=", alert_id);
    expect(await linked.executeTakeFirst()).toEqual({ case_id: opened.id });
  });

  it("opens no case when one of its alerts does not exist", async () => {
    const { ask } = apps.real;
    const before = await countAll();
    const refused = await ask("POST", "/cases", { title: "x", alert_ids: [UNKNOWN_ID] });
    expect(refused.statusCode).toBe(404);
    expect(refused.json()).toEqual({ detail: `alert '${UNKNOWN_ID}' does not exist` });
    expect(await countAll()).toEqual(before);
  });

  it("audits every change with its author and ignores a change without effect", async () => {
    const { ask, open, actions } = apps.real;
    const id = await open();
    const changed = await ask(
      "PATCH",
      `/cases/${id}`,
      { status: "closed", assignee: "noor@example.com", due_at: null },
      { "x-role": "manager" },
    );
    expect(changed.json()).toMatchObject({ status: "closed", assignee: "noor@example.com" });
    expect(changed.json().closed_at).toBe(changed.json().updated_at);
    const same = await ask("PATCH", `/cases/${id}`, { status: "closed" });
    expect(same.json()).toEqual(changed.json());
    const { timeline } = (await ask("GET", `/cases/${id}`)).json();
    expect(timeline).toHaveLength(2);
    expect(timeline[0]).toMatchObject({
      agent: "manager-person",
      action: "status: open → closed; assignee: none → noor@example.com",
    });
    await ask("PATCH", `/cases/${id}`, { assignee: null, status: "investigating" });
    expect((await ask("GET", `/cases/${id}`)).json()).toMatchObject({ assignee: null, closed_at: null });
    expect(await actions(id)).toHaveLength(3);
  });

  it("requires approvals:manage to end pending_approval while an approval is open", async () => {
    const { ask, open } = apps.real;
    const id = await open();
    await ask("PATCH", `/cases/${id}`, { status: "pending_approval", requires_human_approval: true });
    approvals.set(id, "approval-1");
    for (const [patch, field] of [
      [{ status: "closed" }, "status"],
      [{ requires_human_approval: false }, "requires_human_approval"],
    ] as const) {
      const refused = await ask("PATCH", `/cases/${id}`, patch);
      expect(refused.statusCode).toBe(409);
      expect(refused.json().detail).toMatch(new RegExp(`^${field}: approval 'approval-1'`));
    }
    const waived = { status: "contained", requires_human_approval: false };
    expect((await ask("PATCH", `/cases/${id}`, waived, { "x-role": "manager" })).json()).toMatchObject(waived);
  });

  it("serialises concurrent changes", async () => {
    const { ask, open, actions } = apps.real;
    const id = await open();
    const titles = Array.from({ length: 8 }, (_, number) => `title ${number}`);
    await Promise.all(titles.map((title) => ask("PATCH", `/cases/${id}`, { title })));
    const renames = (await actions(id))
      .slice(0, 8)
      .toReversed()
      .map((action) => action.split(/: | → /).slice(1));
    expect(renames[0]?.[0]).toBe("Odd sign-ins");
    for (let at = 1; at < renames.length; at += 1) expect(renames[at]?.[0]).toBe(renames[at - 1]?.[1]);
  });

  it("accepts only the first of two changes to the same version", async () => {
    const { ask, open } = apps.real;
    const id = await open();
    const { etag } = (await ask("GET", `/cases/${id}`)).headers;
    const both = await Promise.all(
      ["one", "two"].map((title) => ask("PATCH", `/cases/${id}`, { title }, { "if-match": etag })),
    );
    expect(both.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(["200", "409"]);
    const lost = both.find(({ statusCode }) => statusCode === 409);
    expect(lost?.json().detail).toMatch(/^If-Match: /);
    expect((await ask("DELETE", `/cases/${id}`, undefined, { "if-match": etag })).statusCode).toBe(409);
  });

  it("returns the newest 200 items of each list with totals", async () => {
    const { ask, open } = apps.real;
    const id = await open();
    await sql`INSERT INTO case_comments (id, case_id, author, body, created_at)
      SELECT ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${id}, 'noor', 'note ' || n, now()
      FROM generate_series(1, 205) AS n`.execute(database.db);
    await sql`INSERT INTO case_timeline (case_id, agent, action, timestamp)
      SELECT ${id}, 'noor', 'step ' || n, now() FROM generate_series(1, 210) AS n`.execute(database.db);
    const { comments, timeline, totals } = (await ask("GET", `/cases/${id}`)).json();
    expect(comments).toHaveLength(200);
    expect(comments[0].body).toBe("note 205");
    expect(timeline).toHaveLength(200);
    expect(timeline[0].action).toBe("step 210");
    expect(totals).toMatchObject({ comments: 205, timeline: 211 });
    const rest = await ask("GET", `/cases/${id}/comments?skip=200`);
    expect(rest.json()).toMatchObject({ total: 205, skip: 200, limit: 50, next_cursor: null });
    expect(rest.json().items.map(({ body }: { body: string }) => body)).toEqual(
      [5, 4, 3, 2, 1].map((n) => `note ${n}`),
    );
  });

  it("deletes a case with all its items, returns its alerts to triaged and keeps a tombstone in the ledger", async () => {
    const { ask, open } = apps.real;
    const before = await countAll();
    const alert_id = await storeAlert("in a case that is deleted");
    const id = await open({ alert_ids: [alert_id] });
    const evidence = { name: "disk.img", evidence_type: "disk", custody_entries: [{ action: "collected" }] };
    await ask("POST", `/cases/${id}/evidence`, evidence);
    await ask("POST", `/cases/${id}/observables`, { type: "ip", value: "203.0.113.9" });
    await ask("POST", `/cases/${id}/comments`, { body: "a note" });
    await ask("POST", `/cases/${id}/tasks`, { title: "call" });
    const deleted = await ask("DELETE", `/cases/${id}`, undefined, { "x-role": "manager" });
    expect(deleted.statusCode).toBe(200);
    expect(deleted.json()).toEqual({ deleted: true, id });
    expect((await ask("GET", `/cases/${id}`)).statusCode).toBe(404);
    expect((await ask("DELETE", `/cases/${id}`)).statusCode).toBe(404);
    // There were six changes; the two ledger entries are the evidence and the tombstone.
    const { audit_log = 0, outbox = 0, ledger_entries = 0 } = before;
    expect(await countAll()).toEqual({
      ...before,
      ledger_entries: ledger_entries + 2,
      audit_log: audit_log + 6,
      outbox: outbox + 6,
    });
    const alert = database.db.selectFrom("alerts").select(["status", "case_id"]).where("id", "=", alert_id);
    expect(await alert.executeTakeFirst()).toEqual({ status: "triaged", case_id: null });
    const entries = database.db.selectFrom("ledger_entries").select(["sequence", "kind", "actor"]);
    expect(await entries.where("case_id", "=", id).orderBy("sequence").execute()).toEqual([
      { sequence: 1, kind: "evidence.registered", actor: "tier2-person" },
      { sequence: 2, kind: "case.deleted", actor: "manager-person" },
    ]);
  });

  it("refuses a write to a case that is deleted concurrently, or deletes its result too", async () => {
    const { ask, open } = apps.real;
    for (let round = 0; round < 10; round += 1) {
      const id = await open();
      const written = ["one", "two", "three"].map((body) => ask("POST", `/cases/${id}/comments`, { body }));
      const [deleted, ...comments] = await Promise.all([ask("DELETE", `/cases/${id}`), ...written]);
      expect(deleted.statusCode).toBe(200);
      for (const { statusCode } of comments) expect([201, 404]).toContain(statusCode);
      expect((await ask("GET", `/cases/${id}`)).statusCode).toBe(404);
    }
  });
});

describe("items of a case", () => {
  it("stores observables with their tags and context", async () => {
    const { ask, open, actions } = apps.real;
    const id = await open();
    const observable = { type: "ip", value: "203.0.113.9", source: "edr", tags: ["c2"], context: { port: 443 } };
    const added = await ask("POST", `/cases/${id}/observables`, observable);
    expect(added.statusCode).toBe(201);
    expect(added.json()).toEqual({
      id: expect.any(String),
      ...observable,
      created_at: expect.any(String),
      edited_at: null,
    });
    await ask("POST", `/cases/${id}/observables`, { type: "domain", value: "evil.example" });
    const list = (await ask("GET", `/cases/${id}/observables`)).json();
    expect(list).toMatchObject({ total: 2, items: [{ source: null, tags: [], context: {} }, added.json()] });
    expect((await actions(id))[1]).toBe("observable added: ip 203.0.113.9");
  });

  it("stores evidence and records its custody in the ledger", async () => {
    const { ask, open } = apps.real;
    const id = await open();
    const registered = await ask("POST", `/cases/${id}/evidence`, {
      name: "disk.img",
      evidence_type: "disk",
      storage_url: "s3://evidence/disk.img",
      sha256: SHA256.toUpperCase(),
      location: "safe 4",
      custody_entries: [{ action: "collected" }, { action: "sealed", location: "lab", notes: "bag 7" }],
    });
    expect(registered.statusCode).toBe(201);
    const { ledger: first, ...evidence } = registered.json();
    const by = { recorded_by: "tier2-person", actor: "tier2-person", timestamp: expect.any(String) };
    expect(evidence).toMatchObject({
      name: "disk.img",
      evidence_type: "disk",
      storage_url: "s3://evidence/disk.img",
      sha256: SHA256,
      location: "safe 4",
      custody_entries: [
        { action: "collected", location: null, notes: null, ...by },
        { action: "sealed", location: "lab", notes: "bag 7", ...by },
      ],
      custody_total: 2,
    });
    expect(first).toMatchObject({ sequence: 1, previous_hash: "0".repeat(64) });
    const moved = await ask("POST", `/cases/${id}/evidence/${evidence.id}/custody`, { action: "moved" });
    expect(moved.statusCode).toBe(201);
    const { ledger: second, ...kept } = moved.json();
    expect(second).toMatchObject({ sequence: 2, previous_hash: first.entry_hash });
    expect(kept.custody_entries.map(({ action }: { action: string }) => action)).toEqual([
      "collected",
      "sealed",
      "moved",
    ]);
    expect((await ask("GET", `/cases/${id}/evidence`)).json()).toMatchObject({ total: 1, items: [kept] });
  });

  it("returns the newest 200 custody entries in chronological order", async () => {
    const { ask, open } = apps.real;
    const id = await open();
    const evidence = (await ask("POST", `/cases/${id}/evidence`, { name: "a", evidence_type: "b" })).json();
    await sql`INSERT INTO case_custody (evidence_id, actor, action, timestamp)
      SELECT ${evidence.id}, 'noor', 'move ' || n, now() FROM generate_series(1, 203) AS n`.execute(database.db);
    const [shown] = (await ask("GET", `/cases/${id}/evidence`)).json().items;
    expect(shown.custody_total).toBe(203);
    expect(shown.custody_entries).toHaveLength(200);
    expect(shown.custody_entries[0].action).toBe("move 4");
    expect(shown.custody_entries[199].action).toBe("move 203");
  });

  it("returns comments with their author in stable pages", async () => {
    const { ask, open } = apps.real;
    const id = await open();
    for (const body of ["one", "two", "three"]) {
      const added = await ask("POST", `/cases/${id}/comments`, { body }, { "x-role": "tier1" });
      expect(added.json()).toMatchObject({ author: "tier1-person", body });
      await clock.sleep(2);
    }
    const first = (await ask("GET", `/cases/${id}/comments?limit=2`)).json();
    await ask("POST", `/cases/${id}/comments`, { body: "four" });
    const second = (await ask("GET", `/cases/${id}/comments?limit=2&cursor=${first.next_cursor}`)).json();
    const seen = [...first.items, ...second.items].map(({ body }: { body: string }) => body);
    expect(seen).toEqual(["three", "two", "one"]);
    expect(second.next_cursor).toBeNull();
  });

  it("allows one task update per version", async () => {
    const { ask, open, actions } = apps.real;
    const id = await open();
    const added = await ask("POST", `/cases/${id}/tasks`, { title: "Call the user" });
    expect(added.json()).toMatchObject({ title: "Call the user", status: "todo", assignee: null });
    const url = `/cases/${id}/tasks/${added.json().id}`;
    const headers = { "if-match": added.headers.etag };
    const done = await ask("PATCH", url, { status: "done", assignee: "noor@example.com", id: "x" }, headers);
    expect(done.json()).toMatchObject({ title: "Call the user", status: "done", assignee: "noor@example.com" });
    expect((await ask("PATCH", url, { status: "blocked" }, headers)).statusCode).toBe(409);
    expect((await ask("GET", `/cases/${id}/tasks`)).json().items).toEqual([done.json()]);
    expect((await actions(id))[0]).toBe("task 'Call the user' status: todo → done; assignee: none → noor@example.com");
    const elsewhere = `/cases/${await open()}/tasks/${added.json().id}`;
    expect((await ask("PATCH", elsewhere, { status: "todo" })).statusCode).toBe(404);
  });

  it("denies the database role of the service to edit or delete permanent records", async () => {
    for (const table of ["case_timeline", "case_evidence", "case_custody"]) {
      const name = sql.table(table);
      for (const statement of [sql`UPDATE ${name} SET id = DEFAULT`, sql`DELETE FROM ${name}`, sql`TRUNCATE ${name}`]) {
        await expect(statement.execute(database.db)).rejects.toThrow(`permission denied for table ${table}`);
      }
    }
  });
});

interface ListPage {
  items: { title: string }[];
  next_cursor: string | null;
  total: number;
}

describe("filters of the case list", () => {
  it("filters, searches, sorts and pages by cursor in every order", async () => {
    const { ask, open } = apps.real;
    const assignee = "list@example.com";
    const severities = ["low", "critical", "medium", "high", "info"];
    for (const severity of severities) {
      await open({ title: `Listed ${severity}`, severity, assignee, description: "unmistakable" });
      await clock.sleep(2);
    }
    const titles = async (query: string): Promise<string[]> => {
      const { items } = (await ask("GET", `/cases?${query}`)).json();
      return items.map(({ title }: { title: string }) => title.replace("Listed ", ""));
    };
    expect(await titles("q=unmistakable")).toEqual(severities.toReversed());
    expect(await titles("q=LISTED+critical")).toEqual(["critical"]);
    expect(await titles(`assignee=${assignee}&severity=high`)).toEqual(["high"]);
    expect(await titles(`assignee=${assignee}&status=closed`)).toEqual([]);
    for (const [sort, expected] of [
      ["created_at", severities],
      ["-updated_at", severities.toReversed()],
      ["-severity", ["critical", "high", "medium", "low", "info"]],
      ["severity", ["info", "low", "medium", "high", "critical"]],
    ] as const) {
      const seen: string[] = [];
      let next: string | null = `/cases?assignee=${assignee}&sort=${sort}&limit=2`;
      while (next !== null) {
        const { items, next_cursor, total }: ListPage = (await ask("GET", next)).json();
        expect(total).toBe(5);
        seen.push(...items.map(({ title }) => title.replace("Listed ", "")));
        next = next_cursor && `/cases?assignee=${assignee}&sort=${sort}&limit=2&cursor=${next_cursor}`;
      }
      expect(seen).toEqual(expected);
    }
  });
});

describe("refusals of case routes", () => {
  const long = (length: number) => "x".repeat(length);
  const tags = Array.from({ length: 51 }, () => "t");
  const wide = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, 1]));
  it.each([
    ["POST", "/cases", "title: is required", {}],
    ["POST", "/cases", "title: must be a text of 1 to 500 characters", { title: long(501) }],
    ["POST", "/cases", "description: must be", { title: "x", description: long(20_001) }],
    ["POST", "/cases", "severity: must be one of critical, high, medium, low, info", { title: "x", severity: "worst" }],
    ["POST", "/cases", "assignee: must be", { title: "x", assignee: long(255) }],
    ["POST", "/cases", "alert_ids: must be a list", { title: "x", alert_ids: Array.from({ length: 101 }, () => "a") }],
    ["POST", "/cases", "due_at: must be", { title: "x", due_at: "tomorrow" }],
    [
      "POST",
      "/cases",
      "due_at: '2026-06-30T23:59:60Z' is not a valid time",
      { title: "x", due_at: "2026-06-30T23:59:60Z" },
    ],
    ["POST", "/cases", "title: contains a character that cannot be stored", { title: "a\0b" }],
    ["PATCH", "/cases/ID", "status: must be one of open, investigating, pending_approval", { status: "new" }],
    ["PATCH", "/cases/ID", "title: must be a text of 1 to 500 characters", { title: "" }],
    ["PATCH", "/cases/ID", "requires_human_approval: must be true or false", { requires_human_approval: "yes" }],
    ["POST", "/cases/ID/observables", "value: is required", { type: "ip" }],
    ["POST", "/cases/ID/observables", "tags: must be a list of at most 50 items", { type: "ip", value: "x", tags }],
    ["POST", "/cases/ID/observables", "context: must be", { type: "ip", value: "x", context: wide }],
    ["POST", "/cases/ID/observables", "context: must be at", { type: "ip", value: "x", context: { a: long(16_384) } }],
    ["POST", "/cases/ID/observables", "context: contains a", { type: "ip", value: "x", context: { a: "\ud800" } }],
    ["POST", "/cases/ID/evidence", "evidence_type: is required", { name: "x" }],
    ["POST", "/cases/ID/evidence", "sha256: must be a text of the", { name: "x", evidence_type: "x", sha256: "abc" }],
    ["POST", "/cases/ID/evidence", "sha256: must be", { name: "x", evidence_type: "x", sha256: `${SHA256}a` }],
    [
      "POST",
      "/cases/ID/evidence",
      "custody_entries.0.action",
      { name: "x", evidence_type: "x", custody_entries: [{}] },
    ],
    ["POST", "/cases/ID/comments", "body: is required", {}],
    ["POST", "/cases/ID/comments", "body: must be a text of 1 to 20000 characters", { body: long(20_001) }],
    ["POST", "/cases/ID/tasks", "status: must be one of todo, in_progress, blocked", { title: "x", status: "late" }],
    ["GET", "/cases?limit=201", "limit: must be an integer from 1 to 200", undefined],
    ["GET", "/cases?sort=title", "sort: must be one of -created_at", undefined],
    ["GET", "/cases?q=%00", "q: contains a character that cannot be stored", undefined],
    ["GET", "/cases?cursor=abc", "cursor: must come from this list with the same order", undefined],
    ["GET", "/cases/ID/tasks?cursor=abc", "cursor: must come from this list with the same order", undefined],
  ] as const)("answers %s %s with 400: %s", async (method, path, detail, payload) => {
    const { ask, open } = apps.real;
    const refused = await ask(method, path.replace("/ID", `/${await open()}`), payload);
    expect(refused.json().detail).toContain(detail);
    expect(refused.statusCode).toBe(400);
  });

  it.each([
    ["GET", "/cases/nope", "case 'nope' does not exist", undefined],
    ["GET", `/cases/${UNKNOWN_ID}/comments`, `case '${UNKNOWN_ID}' does not exist`, undefined],
    ["PATCH", "/cases/nope", "case 'nope' does not exist", { title: "x" }],
    ["DELETE", `/cases/${UNKNOWN_ID}`, `case '${UNKNOWN_ID}' does not exist`, undefined],
    ["POST", `/cases/${UNKNOWN_ID}/comments`, `case '${UNKNOWN_ID}' does not exist`, { body: "x" }],
    ["POST", "/cases/ID/evidence/nope/custody", "evidence 'nope' does not exist", { action: "x" }],
    ["PATCH", `/cases/ID/tasks/${UNKNOWN_ID}`, `task '${UNKNOWN_ID}' does not exist`, { status: "done" }],
  ] as const)("answers %s %s with 404: %s", async (method, path, detail, payload) => {
    const { ask, open } = apps.real;
    const refused = await ask(method, path.replace("/ID", `/${await open()}`), payload);
    expect(refused.json()).toEqual({ detail });
    expect(refused.statusCode).toBe(404);
  });
});

describe("runtime modes of case routes", () => {
  const evidence = { name: "x", evidence_type: "x" };
  const CHANGES = [
    ["POST", "/cases", { title: "x" }, { title: "x", status: "open" }],
    ["PATCH", "/cases/ID", { status: "closed" }, { title: "Odd sign-ins", status: "closed" }],
    ["DELETE", "/cases/ID", undefined, { deleted: true }],
    ["POST", "/cases/ID/observables", { type: "ip", value: "x" }, { type: "ip", value: "x" }],
    ["POST", "/cases/ID/evidence", { ...evidence, custody_entries: [{ action: "x" }] }, { custody_total: 1 }],
    ["POST", "/cases/ID/evidence/EVIDENCE/custody", { action: "x" }, { ...evidence, custody_total: 1 }],
    ["POST", "/cases/ID/comments", { body: "x" }, { body: "x" }],
    ["POST", "/cases/ID/tasks", { title: "x" }, { title: "x", status: "todo" }],
    ["PATCH", "/cases/ID/tasks/TASK", { status: "done" }, { title: "x", status: "done" }],
  ] as const;

  it.each(CHANGES)("previews %s %s in dry_run and stores nothing", async (method, path, payload, shown) => {
    const { real, dry_run } = apps;
    const id = await real.open();
    const { id: evidence_id } = (await real.ask("POST", `/cases/${id}/evidence`, evidence)).json();
    const { id: task_id } = (await real.ask("POST", `/cases/${id}/tasks`, { title: "x" })).json();
    const url = path.replace("/ID", `/${id}`).replace("EVIDENCE", evidence_id).replace("TASK", task_id);
    const before = await countAll();
    const preview = await dry_run.ask(method, url, payload);
    expect(preview.statusCode).toBe(200);
    expect(preview.json()).toMatchObject({ dry_run: true, preview: { id: expect.any(String), ...shown } });
    expect(preview.headers.etag).toBeUndefined();
    expect(await countAll()).toEqual(before);
    expect((await real.ask("GET", `/cases/${id}`)).json()).toMatchObject({ status: "open" });
  });

  it.each(CHANGES)("blocks %s %s in dummy", async (method, path, payload) => {
    const { ask } = apps.dummy;
    const refused = await ask(method, path.replace(/\/(ID|EVIDENCE|TASK)/g, `/${UNKNOWN_ID}`), payload);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toEqual({ detail: "Runtime mode 'dummy' blocks this change" });
  });

  it("reads the showcase in dummy without a database and answers 503 in other modes", async () => {
    const unavailable = async () => false;
    expect((await (await createCasesApp("dummy", unavailable)).ask("GET", "/cases")).json()).toMatchObject({
      total: 0,
    });
    for (const mode of ["dry_run", "real"] as const) {
      const { ask } = await createCasesApp(mode, unavailable);
      for (const url of ["/cases", `/cases/${UNKNOWN_ID}`, `/cases/${UNKNOWN_ID}/tasks`]) {
        expect((await ask("GET", url)).statusCode).toBe(503);
      }
      expect((await ask("POST", "/cases", { title: "x" })).statusCode).toBe(503);
    }
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSampleKey } from "../../../testing/fixtures/sample-ledger.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createDiskFiles } from "../../adapters/files/disk-files.ts";
import { createIncomingFiles } from "../../adapters/files/incoming-files.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { createAlerts } from "../../alerts/module.ts";
import { compileAlertQuery } from "../../logs/query/alert-query.ts";
import { createCaseFiles } from "../case-files/case-files.feature.ts";
import { createCases } from "../cases/cases.feature.ts";
import { createLedger } from "../ledger/ledger.feature.ts";
import { createCaseMerges } from "./case-merges.feature.ts";

const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";
const folder = mkdtempSync(join(tmpdir(), "case-merges-"));
const clock = createClock();
/** Maps a case to its open approval. */
const approvals = new Map<string, string>();
let platform: TestPlatform;
let ledger: ReturnType<typeof createLedger>;
let app: Frame;

async function serve(base: TestPlatform) {
  ledger = createLedger(base, { key: createSampleKey(), checkpointFile: join(folder, "checkpoints.ndjson") });
  const alerts = createAlertChanges(base);
  const cases = createCases(base, { ...ledger.services, alerts });
  const incoming = createIncomingFiles({ folder: join(folder, "incoming"), clock, ids: base.ids, reserveBytes: 0 });
  const storage = { incoming, store: createDiskFiles(join(folder, "stored")), maxBytes: 1000 };
  return featureApp(
    base,
    ...cases.registrations.routes,
    ...createAlerts(base, { ...cases.services, changes: alerts, compileQuery: compileAlertQuery }).registrations.routes,
    ...createCaseFiles(base, { ...cases.services, storage }).registrations.routes,
    ...createCaseMerges(base, {
      ...ledger.services,
      alerts,
      findOpenApproval: async (_, [id = ""]) => approvals.get(id),
    }).registrations.routes,
    ...ledger.registrations.routes,
  );
}

beforeAll(async () => {
  platform = await testPlatform("real");
  app = await serve(platform);
});

afterAll(async () => {
  await platform.close();
  rmSync(folder, { recursive: true });
});

type Method = "GET" | "POST" | "PATCH" | "DELETE";

async function ask(method: Method, path: string, payload?: object, headers: Record<string, string> = {}) {
  const asked = { method, url: `/api/v1${path}`, headers: { "x-role": "tier2", ...headers } };
  const answer = await app.inject({ ...asked, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

const merge = (into: string, ...from: string[]) => ask("POST", `/cases/${into}/merge`, { from });
const openCase = async (fields: object = {}): Promise<string> =>
  (await ask("POST", "/cases", { title: "Intrusion", ...fields })).body.id;

/** Opens a case with two of each item; one observable is unique and one is common to all cases. */
async function openFullCase(name: string, fields: object = {}): Promise<string> {
  const add = async (path: string, payload: object) => (await ask("POST", path, payload)).body.id;
  const alert_ids: string[] = [];
  for (const number of [1, 2])
    alert_ids.push(await add("/alerts", { title: `${name} ${number} ${platform.ids.next()}`, source: "edr" }));
  const id = await openCase({ title: name, tags: [name, "shared"], mitre_techniques: ["T1566"], alert_ids, ...fields });
  await add(`/cases/${id}/observables`, { type: "ip", value: "192.0.2.1", tags: [name] });
  await add(`/cases/${id}/observables`, { type: "host", value: name });
  await add(`/cases/${id}/evidence`, { name: `disk of ${name}`, evidence_type: "image", sha256: "a".repeat(64) });
  await add(`/cases/${id}/files?name=${name}.json`, { found: name });
  for (const number of [1, 2]) await add(`/cases/${id}/comments`, { body: `${name} comment ${number}` });
  for (const number of [1, 2]) await add(`/cases/${id}/tasks`, { title: `${name} task ${number}` });
  return id;
}

const ITEMS = ["observables", "evidence", "files", "comments", "tasks"] as const;

async function countItems(...ids: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = { alerts: 0 };
  for (const id of ids) {
    for (const name of ITEMS)
      counts[name] = (counts[name] ?? 0) + (await ask("GET", `/cases/${id}/${name}`)).body.total;
    counts.alerts = (counts.alerts ?? 0) + (await ask("GET", `/alerts?case_id=${id}`)).body.total;
  }
  return counts;
}

describe("case merges", () => {
  it("moves all records into one case and closes the others", async () => {
    const ids = [
      await openFullCase("one"),
      await openFullCase("two", { severity: "critical" }),
      await openFullCase("three"),
    ];
    const [into = "", ...from] = ids;
    const before = await countItems(...ids);
    expect(before).toEqual({ alerts: 6, observables: 6, evidence: 6, files: 3, comments: 6, tasks: 6 });
    const { status, body } = await merge(into, ...from);
    expect(status).toBe(200);
    expect(body.moved).toEqual({ alerts: 4, observables: 2, unified: 2, evidence: 4, comments: 4, tasks: 4 });
    expect(body.case).toMatchObject({ id: into, severity: "critical", tags: ["one", "shared", "two", "three"] });
    // The common address is now one observable; the others are in the history.
    expect(await countItems(into)).toEqual({ ...before, observables: 4 });
    const { items: former } = (await ask("GET", `/cases/${into}/history?item_type=observable`)).body;
    expect(former.map(({ item, change }: { item: { value: string }; change: string }) => [item.value, change])).toEqual(
      [
        ["192.0.2.1", "removed"],
        ["192.0.2.1", "removed"],
      ],
    );
    const { items: kept } = (await ask("GET", `/cases/${into}/observables`)).body;
    expect(kept.find(({ value }: { value: string }) => value === "192.0.2.1").tags).toEqual(["one", "two", "three"]);
    expect(await countItems(...from)).toEqual({
      alerts: 0,
      observables: 0,
      evidence: 0,
      files: 0,
      comments: 0,
      tasks: 0,
    });
    for (const id of from) {
      const { body: old } = await ask("GET", `/cases/${id}`);
      expect(old).toMatchObject({ id, status: "closed", merged_into: into, closed_at: expect.any(String) });
      expect(old.timeline[0].action).toBe(`merged into case ${into}: one`);
    }
    expect((await ask("GET", `/cases/${into}`)).body.merged_from).toEqual(from.toSorted());
  });

  it("keeps every entry of every chain and links the chain of the target to the ends of the others", async () => {
    const [into, from] = [await openFullCase("kept"), await openFullCase("moved")];
    const readChain = async (id: string) =>
      (await ask("GET", `/ledger/bundle?case_id=${id}`)).body.entries.map(({ entry }: { entry: object }) => entry);
    const [ours, theirs] = [await readChain(into), await readChain(from)];
    await merge(into, from);
    const [merged, ended] = [await readChain(into), await readChain(from)];
    expect(merged.slice(0, ours.length)).toEqual(ours);
    expect(ended.slice(0, theirs.length)).toEqual(theirs);
    const end = ended.at(-1);
    expect(end).toMatchObject({ kind: "case.merged_into", body: { into, evidence: expect.any(Array) } });
    expect(merged.at(-1)).toMatchObject({
      kind: "case.merged",
      body: { from, sequence: end.sequence, entry_hash: end.entry_hash },
    });
    const { items } = (await ask("GET", `/cases/${into}/evidence`)).body;
    expect(items.map(({ registered_in }: { registered_in: string | null }) => registered_in)).toEqual([
      ...[from, from, null, null],
    ]);
    // Custody continues in the chain of the target, and the file still exists.
    const custody = await ask("POST", `/cases/${into}/evidence/${items[0].id}/custody`, { action: "sealed" });
    expect(custody.body.ledger.sequence).toBe(merged.length + 1);
    const file = await app.inject({ url: `/api/v1/cases/${into}/files/${items[0].id}` });
    expect(file.body).toBe('{"found":"moved"}');
  });

  it("redirects all earlier sources to the last target when their target is merged", async () => {
    const [a, b, c] = [await openCase(), await openCase(), await openCase()];
    await merge(b, a);
    await merge(c, b);
    expect((await ask("GET", `/cases/${a}`)).body.merged_into).toBe(c);
    expect((await ask("GET", `/cases/${c}`)).body.merged_from).toEqual([a, b].toSorted());
  });

  it("refuses to add anything to a merged case", async () => {
    const [into, from] = [await openCase(), await openCase()];
    const { body: alert } = await ask("POST", "/alerts", { title: `late ${platform.ids.next()}`, source: "edr" });
    await merge(into, from);
    for (const [method, path, payload] of [
      ["POST", `/cases/${from}/comments`, { body: "late" }],
      ["POST", `/cases/${from}/tasks`, { title: "late" }],
      ["POST", `/cases/${from}/observables`, { type: "ip", value: "1" }],
      ["POST", `/cases/${from}/evidence`, { name: "late", evidence_type: "image" }],
      ["POST", `/cases/${from}/files?name=late`, { late: true }],
      ["POST", `/cases/${from}/alerts`, { alert_ids: [alert.id] }],
      ["POST", `/alerts/${alert.id}/case-link`, { case_id: from }],
      ["PATCH", `/cases/${from}`, { status: "open" }],
      ["POST", `/cases/${from}/merge`, { from: [into] }],
      ["POST", `/cases/${into}/merge`, { from: [from] }],
    ] as const) {
      const refused = await ask(method, path, payload);
      expect([path, refused]).toEqual([
        path,
        { status: 409, body: { detail: `case '${from}' was merged into '${into}'` } },
      ]);
    }
  });

  it("records the merge and its actor in both cases", async () => {
    const [into, from] = [await openFullCase("kept"), await openFullCase("moved")];
    await merge(into, from);
    const { rows } = await sql<{ subject_id: string; actor: string; details: object }>`
      SELECT subject_id, actor, details FROM audit_log WHERE action = 'case.merged' AND subject_id IN (${from}, ${into})
      ORDER BY id`.execute(platform.db);
    expect(rows).toEqual([
      { subject_id: from, actor: "tier2", details: expect.objectContaining({ merged_into: into, comments: 2 }) },
      { subject_id: into, actor: "tier2", details: expect.objectContaining({ from: [from], alerts: 2 }) },
    ]);
  });
});

describe("refused merges", () => {
  it.each([
    [(id: string) => [id], 400, /^from: must not contain the target case/],
    [(id: string) => [id.toUpperCase()], 400, /^from: must not contain the target case/],
    [() => [], 400, /^from: /],
    [() => ["x"], 400, /^from\.0: /],
    [() => Array.from({ length: 21 }, () => UNKNOWN_ID), 400, /^from: /],
    [() => [UNKNOWN_ID], 404, /^case '.*' does not exist/],
  ])("changes nothing when it refuses a merge with %s", async (from, status, detail) => {
    const id = await openCase();
    expect(await merge(id, ...from(id))).toMatchObject({ status, body: { detail: expect.stringMatching(detail) } });
  });

  it("refuses a target that does not exist, is closed or has changed", async () => {
    const [into, from] = [await openCase(), await openFullCase("safe")];
    expect((await merge(UNKNOWN_ID, from)).status).toBe(404);
    expect((await merge("x", from)).status).toBe(404);
    const stale = await ask(
      "POST",
      `/cases/${into}/merge`,
      { from: [from] },
      { "if-match": '"2020-01-01T00:00:00.000Z"' },
    );
    expect(stale.status).toBe(409);
    await ask("PATCH", `/cases/${into}`, { status: "closed" });
    expect((await merge(into, from)).body.detail).toBe(`case '${into}' is closed`);
    expect(await countItems(from)).toMatchObject({ alerts: 2, comments: 2 });
  });

  it("refuses callers without cases:write and alerts:write", async () => {
    const [into, from] = [await openCase(), await openCase()];
    for (const role of ["auditor", "detection"]) {
      expect((await ask("POST", `/cases/${into}/merge`, { from: [from] }, { "x-role": role })).status).toBe(403);
    }
  });

  it("refuses to end the wait for an approval and moves the approval requirement to the target", async () => {
    const [into, waiting, demanding] = [await openCase(), await openCase(), await openCase()];
    await ask("PATCH", `/cases/${waiting}`, { status: "pending_approval" });
    await ask("PATCH", `/cases/${demanding}`, { requires_human_approval: true });
    approvals.set(waiting, "approval-1");
    expect(await merge(into, waiting)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("from: approval 'approval-1'") },
    });
    const { body } = await merge(into, demanding);
    expect(body.case.requires_human_approval).toBe(true);
    const allowed = await ask("POST", `/cases/${into}/merge`, { from: [waiting] }, { "x-role": "manager" });
    expect(allowed.status).toBe(200);
  });
});

describe("concurrent merges", () => {
  it("lets one of fifty opposite merges succeed and loses nothing", {
    timeout: 120_000,
  }, async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const [a, b] = [await openFullCase(`a${turn}`), await openFullCase(`b${turn}`)];
      const before = await countItems(a, b);
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? merge(a, b) : merge(b, a))));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      // A merge that PostgreSQL rolled back four times asks the caller to try again.
      expect(statuses.filter((status) => status !== 200 && status !== 409 && status !== 503)).toEqual([]);
      const [first, second] = [(await ask("GET", `/cases/${a}`)).body, (await ask("GET", `/cases/${b}`)).body];
      expect([first.merged_into, second.merged_into].filter((id) => id === null)).toHaveLength(1);
      expect(await countItems(a, b)).toEqual({ ...before, observables: (before.observables ?? 0) - 1 });
    }
  });

  it("stores or refuses each item that is added during a merge, but never loses it", { timeout: 120_000 }, async () => {
    const [into, from] = [await openCase(), await openCase()];
    const report = async (i: number) =>
      (await ask("POST", "/alerts", { title: `r${i} ${platform.ids.next()}`, source: "e" })).body.id;
    const alerts: string[] = [];
    for (let i = 0; i < 10; i += 1) alerts.push(await report(i));
    const adding = Array.from({ length: 10 }, (_, i) => [
      ask("POST", `/cases/${from}/comments`, { body: `c${i}` }),
      ask("POST", `/cases/${from}/evidence`, { name: `e${i}`, evidence_type: "image" }),
      ask("POST", `/alerts/${alerts[i]}/case-link`, { case_id: from }),
    ]);
    const merged = merge(into, from);
    const added = await Promise.all(adding.flat());
    expect((await merged).status).toBe(200);
    const stored = added.filter(({ status }) => status < 300).length;
    expect(added.filter(({ status }) => status >= 300 && status !== 409)).toEqual([]);
    const found = await countItems(into);
    expect((found.comments ?? 0) + (found.evidence ?? 0) + (found.alerts ?? 0)).toBe(stored);
    expect(await countItems(from)).toMatchObject({ comments: 0, evidence: 0, alerts: 0 });
  });
});

it("changes nothing in dry_run and returns what it would move", async () => {
  const other = await testPlatform("dry_run");
  const dry = await serve(other);
  const now = clock.now();
  const [into, from] = [other.ids.next(), other.ids.next()];
  for (const id of [into, from]) {
    await sql`INSERT INTO cases (id, title, description, severity, status, requires_human_approval, created_at, updated_at)
      VALUES (${id}, 'Intrusion', '', 'low', 'open', false, ${now}, ${now})`.execute(other.db);
  }
  const answer = await dry.inject({ method: "POST", url: `/api/v1/cases/${into}/merge`, payload: { from: [from] } });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    { dry_run: true, preview: { moved: { comments: 0 } } },
  ]);
  expect((await dry.inject({ url: `/api/v1/cases/${from}` })).json()).toMatchObject({
    status: "open",
    merged_into: null,
  });
  await other.close();
});

import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_LEDGER } from "../../../testing/fixtures/no-ledger.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { createCases } from "./cases.feature.ts";

let platform: TestPlatform;
let app: Frame;

beforeAll(async () => {
  platform = await testPlatform("real");
  app = await featureApp(
    platform,
    ...createCases(platform, { alerts: createAlertChanges(platform), ledger: NO_LEDGER }).registrations.routes,
  );
});

afterAll(() => platform.close());

type Method = "GET" | "POST" | "PATCH" | "DELETE";

async function ask(method: Method, path: string, payload?: object, headers: Record<string, string> = {}) {
  const asked = { method, url: `/api/v1${path}`, headers: { "x-role": "tier2", ...headers } };
  const answer = await app.inject({ ...asked, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json(), etag: answer.headers.etag };
}

const openCase = async (): Promise<string> => (await ask("POST", "/cases", { title: "Intrusion" })).body.id;

const LONG = "word ".repeat(900).trim();

describe("item history of a case", () => {
  it("keeps every version of an item completely, even after its removal", async () => {
    const id = await openCase();
    const { body: comment } = await ask("POST", `/cases/${id}/comments`, { body: LONG });
    const path = `/cases/${id}/comments/${comment.id}`;
    const { body: edited } = await ask("PATCH", path, { body: "second" });
    await ask("DELETE", path, undefined, { "x-role": "manager" });
    const { body } = await ask("GET", `/cases/${id}/history?item_id=${comment.id}`);
    expect(body.total).toBe(2);
    expect(body.items).toEqual([
      expect.objectContaining({ change: "removed", item_type: "comment", changed_by: "manager", item: edited }),
      expect.objectContaining({ change: "edited", item_id: comment.id, changed_by: "tier2", item: comment }),
    ]);
    expect((await ask("GET", `/cases/${id}/comments`)).body.total).toBe(0);
  });

  it("lists all item types of the case, filtered by type and in pages", async () => {
    const [id, other] = [await openCase(), await openCase()];
    for (const each of [id, other]) {
      const { body: task } = await ask("POST", `/cases/${each}/tasks`, { title: "Call sam" });
      await ask("PATCH", `/cases/${each}/tasks/${task.id}`, { title: "Call noor", status: "done", position: 3 });
      await ask("DELETE", `/cases/${each}/tasks/${task.id}`);
      const { body: observable } = await ask("POST", `/cases/${each}/observables`, { type: "ip", value: "192.0.2.1" });
      await ask("PATCH", `/cases/${each}/observables/${observable.id}`, { context: { seen: [LONG] } });
      await ask("DELETE", `/cases/${each}/observables/${observable.id}`);
    }
    const all = (await ask("GET", `/cases/${id}/history`)).body;
    expect(all.items.map(({ item_type, change }: Record<string, string>) => `${item_type} ${change}`)).toEqual([
      "observable removed",
      "observable edited",
      "task removed",
      "task edited",
    ]);
    expect(all.items[0].item.context).toEqual({ seen: [LONG] });
    const tasks = (await ask("GET", `/cases/${id}/history?item_type=task&limit=1`)).body;
    expect(tasks.items[0].item).toMatchObject({ title: "Call noor", status: "done", position: 3 });
    const next = (await ask("GET", `/cases/${id}/history?item_type=task&limit=1&cursor=${tasks.next_cursor}`)).body;
    expect(next.items[0].item).toMatchObject({ title: "Call sam", status: "todo", position: null });
    expect((await ask("GET", `/cases/${id}/history?item_id=x`)).body.total).toBe(0);
    expect((await ask("GET", `/cases/${id}/history?item_type=evidence`)).status).toBe(400);
    expect((await ask("GET", "/cases/01900000-0000-7000-8000-000000000000/history")).status).toBe(404);
  });

  it("prevents the service from changing the history or removing evidence", async () => {
    const { rows } = await sql<{ what: string }>`
      SELECT table_name || ' ' || privilege_type AS what FROM information_schema.role_table_grants
      WHERE grantee = 'soc_app' AND table_name IN ('case_item_versions', 'case_evidence', 'case_files')
        AND privilege_type NOT IN ('SELECT', 'INSERT')`.execute(platform.db);
    expect(rows).toEqual([]);
  });
});

describe("If-Match on case items", () => {
  it("refuses a change to an observable, comment or task version that the caller has not seen", async () => {
    const id = await openCase();
    const { body: observable } = await ask("POST", `/cases/${id}/observables`, { type: "ip", value: "192.0.2.1" });
    const { body: comment } = await ask("POST", `/cases/${id}/comments`, { body: "first" });
    const { body: task, etag } = await ask("POST", `/cases/${id}/tasks`, { title: "Call sam" });
    const items = [
      [`observables/${observable.id}`, { tags: ["seen"] }, `"${observable.created_at}"`],
      [`comments/${comment.id}`, { body: "second" }, `"${comment.created_at}"`],
      [`tasks/${task.id}`, { status: "done" }, String(etag)],
    ] as const;
    for (const [place, patch, first] of items) {
      const path = `/cases/${id}/${place}`;
      const changed = await ask("PATCH", path, patch, { "if-match": first });
      expect(changed).toMatchObject({ status: 200, etag: expect.stringMatching(/^"\d{4}-/) });
      expect((await ask("PATCH", path, patch, { "if-match": first })).status).toBe(409);
      expect((await ask("DELETE", path, undefined, { "if-match": first })).status).toBe(409);
      const removed = await ask("DELETE", path, undefined, { "if-match": String(changed.etag) });
      expect(removed.status).toBe(200);
    }
  });

  it("lets one of fifty simultaneous editors succeed", async () => {
    const id = await openCase();
    const { body } = await ask("POST", `/cases/${id}/observables`, { type: "ip", value: "192.0.2.1" });
    const path = `/cases/${id}/observables/${body.id}`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        ask("PATCH", path, { tags: [`t${i}`] }, { "if-match": `"${body.created_at}"` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect((await ask("GET", `/cases/${id}/history`)).body.total).toBe(1);
  });
});

describe("adding many observables", () => {
  it("adds each observable once, in the order of the request", async () => {
    const id = await openCase();
    await ask("POST", `/cases/${id}/observables`, { type: "ip", value: "192.0.2.3" });
    const observables = ["192.0.2.9", "192.0.2.3", "192.0.2.1", "192.0.2.9"].map((value) => ({ type: "ip", value }));
    const { status, body } = await ask("POST", `/cases/${id}/observables/bulk`, { observables });
    expect([status, body.created, body.existing]).toEqual([200, 2, 2]);
    expect(body.items.map(({ value }: { value: string }) => value)).toEqual(observables.map(({ value }) => value));
    expect((await ask("GET", `/cases/${id}/observables`)).body.total).toBe(3);
    const [newest] = (await ask("GET", `/cases/${id}/timeline`)).body.items;
    expect(newest.action).toBe("2 observables added");
    const created = body.items.map((each: { id: string }) => each.id);
    const { rows } = await sql<{ subject_id: string }>`
      SELECT subject_id FROM audit_log WHERE action = 'observable.created' AND subject_id = ANY(${created})`.execute(
      platform.db,
    );
    expect(rows).toHaveLength(3);
  });

  it("stores the observables of ten concurrent senders once, in any order", async () => {
    const id = await openCase();
    const observables = Array.from({ length: 50 }, (_, i) => ({ type: "ip", value: `198.51.100.${i}` }));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        ask("POST", `/cases/${id}/observables/bulk`, { observables: i % 2 ? observables : observables.toReversed() }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(50);
    expect((await ask("GET", `/cases/${id}/observables`)).body.total).toBe(50);
  });

  it.each([
    [{ observables: [] }, /^observables: /],
    [{ observables: Array(201).fill({ type: "ip", value: "1" }) }, /^observables: /],
    [{ observables: [{ type: "ip", value: "1" }, { type: "ip" }] }, /^observables\.1\.value: is required/],
    [{ observables: [{ type: "ip", value: "a\0" }] }, /^observables\.0\.value: contains a character/],
    [
      { observables: [{ type: "ip", value: "a", context: { a: "b".repeat(17_000) } }] },
      /^observables\.0\.context: must be/,
    ],
  ])("refuses the whole request with %j", async (payload, detail) => {
    const id = await openCase();
    const refused = await ask("POST", `/cases/${id}/observables/bulk`, payload);
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) } });
    expect((await ask("GET", `/cases/${id}/observables`)).body.total).toBe(0);
  });
});

it("lists tasks by position", async () => {
  const id = await openCase();
  for (const [title, position] of [
    ["third", 30],
    ["first", 1],
    ["without a place", null],
    ["second", 2],
  ] as const) {
    await ask("POST", `/cases/${id}/tasks`, { title, position });
  }
  const listTitles = async (query: string) =>
    (await ask("GET", `/cases/${id}/tasks${query}`)).body.items.map(({ title }: { title: string }) => title);
  expect(await listTitles("?sort=position")).toEqual(["first", "second", "third", "without a place"]);
  expect((await listTitles(""))[0]).toBe("second");
  const first = (await ask("GET", `/cases/${id}/tasks?sort=position&limit=3`)).body;
  const rest = (await ask("GET", `/cases/${id}/tasks?sort=position&limit=3&cursor=${first.next_cursor}`)).body;
  expect(rest.items.map(({ title }: { title: string }) => title)).toEqual(["without a place"]);
  expect((await ask("POST", `/cases/${id}/tasks`, { title: "x", position: -1 })).status).toBe(400);
});

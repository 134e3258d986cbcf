import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hash } from "@node-rs/argon2";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { testPlatform } from "../../../testing/harness/feature-app.ts";
import { ADMIN_PASSWORD, wholePlatform, wholeWorker } from "../../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { createInboxWriter } from "./inbox.store.ts";

type Headers = Record<string, string>;

const SOON = { timeout: 20_000 };
let folder: string;
let platform: Awaited<ReturnType<typeof wholePlatform>>;
let worker: Awaited<ReturnType<typeof wholeWorker>>;
let owner: pg.Pool;
let as: Record<"admin" | "manu" | "noor" | "sara" | "dina", Headers>;

async function signIn(username: string): Promise<Headers> {
  const payload = { username, password: ADMIN_PASSWORD };
  const answer = await platform.app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  return { authorization: `Bearer ${answer.json().access_token}` };
}

async function ask(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, headers: Headers, payload?: object) {
  const answer = await platform.app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

const listInbox = async (headers: Headers, query = "") => (await ask("GET", `/inbox${query}`, headers)).body.items;
const toKinds = (items: { kind: string; title: string }[]) => items.map(({ kind, title }) => `${kind}: ${title}`);
const expectInbox = (headers: Headers) => expect.poll(async () => toKinds(await listInbox(headers)), SOON);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soc-inbox-"));
  const { url } = await freshDatabase();
  owner = new pg.Pool({ connectionString: url, max: 1 });
  platform = await wholePlatform("real", url, folder);
  await vi.waitFor(async () => expect((await owner.query("SELECT FROM users")).rowCount).toBe(1), SOON);
  const password_hash = await hash(ADMIN_PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  for (const [name, role] of [
    ["manu", "manager"],
    ["noor", "tier2"],
    ["sara", "tier3"],
    ["dina", "tier1"],
    ["gone", "manager"],
  ]) {
    const disabled = String(name === "gone");
    await owner.query("INSERT INTO users (username, role, disabled, password_hash) VALUES ($1, $2, $3, $4)", [
      ...[name, role, disabled, password_hash],
    ]);
  }
  as = {
    admin: await signIn("admin"),
    manu: await signIn("manu"),
    noor: await signIn("noor"),
    sara: await signIn("sara"),
    dina: await signIn("dina"),
  };
  // Created before the worker starts, so that its first round finds it.
  const opened = { title: "Due soon", severity: "low", description: "", alert_ids: [], assignee: "dina" };
  const { id } = (await ask("POST", "/cases", as.dina, opened)).body;
  await ask("PATCH", `/cases/${id}`, as.dina, { due_at: new Date(Date.now() + 30 * 60_000).toISOString() });
  worker = await wholeWorker(url, folder);
}, 120_000);

afterAll(async () => {
  await worker.close();
  await platform.close();
  await owner.end();
  await rm(folder, { recursive: true });
});

it("notifies a person about relevant events except their own actions", async () => {
  const raised = { title: "Beacon", source: "edr", severity: "high", host: "ws-1" };
  const { id: alert_id } = (await ask("POST", "/alerts", as.noor, raised)).body;
  await ask("PATCH", `/alerts/${alert_id}`, as.noor, { assignee: "sara" });
  // A later change of the same alert is not a new assignment.
  await ask("PATCH", `/alerts/${alert_id}`, as.noor, { severity: "critical" });
  const opened = { title: "Theft", severity: "high", description: "", alert_ids: [], assignee: "sara" };
  const { id: case_id } = (await ask("POST", "/cases", as.sara, opened)).body;
  await ask("POST", `/cases/${case_id}/comments`, as.noor, { body: "@sara and @ghost, please look. noor@example.com" });
  await ask("POST", `/cases/${case_id}/tasks`, as.noor, { title: "Call the owner", assignee: "sara" });
  await expectInbox(as.sara).toEqual(["assigned: Call the owner", "mentioned: Theft", "assigned: Beacon"]);
  expect(await listInbox(as.noor)).toEqual([]);
  const [task, mention, assigned] = await listInbox(as.sara);
  expect(assigned).toMatchObject({ subject_type: "alert", subject_id: alert_id, actor: "noor", read_at: null });
  expect([task, mention]).toMatchObject([{ subject_id: case_id }, { subject_type: "case", subject_id: case_id }]);
});

it("counts unread items and marks them as read", async () => {
  const count = async () => (await ask("GET", "/inbox/count", as.sara)).body;
  expect(await count()).toEqual({ unread: 3, by_kind: { assigned: 2, mentioned: 1 } });
  const [{ id }] = await listInbox(as.sara, "?kind=mentioned");
  // Items of other users are invisible to the caller.
  expect((await ask("POST", "/inbox/read", as.noor, { ids: [id] })).body).toEqual({ read: 0 });
  expect((await ask("POST", "/inbox/read", as.sara, { ids: [id] })).body).toEqual({ read: 1 });
  expect(toKinds(await listInbox(as.sara, "?unread=false"))).toEqual(["mentioned: Theft"]);
  expect(await listInbox(as.sara, "?unread=true&kind=mentioned")).toEqual([]);
  expect((await ask("POST", "/inbox/read", as.sara, { all: true })).body).toEqual({ read: 2 });
  expect(await count()).toEqual({ unread: 0, by_kind: {} });
  const { rows } = await owner.query("SELECT subject_id FROM outbox WHERE type = 'inbox.changed'");
  expect(new Set(rows.map(({ subject_id }) => subject_id))).toEqual(new Set(["dina", "noor", "sara"]));
});

it.each([[{}], [{ ids: [], all: true }], [{ all: false }], [{ ids: ["x"] }]])(
  "refuses to mark %j as read",
  async (body) => {
    expect((await ask("POST", "/inbox/read", as.sara, body)).status).toBe(400);
  },
);

it("shows an approval to everyone who may decide until the decision, then to the requester", async () => {
  // Do not wait for the answer: the tool polls for a decision every 30 s.
  void ask("POST", "/tools/request_human_approval", as.sara, { action: "Reimage", justification: "beacon" });
  await expectInbox(as.manu).toEqual(["waiting: Reimage"]);
  await expectInbox(as.admin).toEqual(["waiting: Reimage"]);
  expect(await listInbox(as.noor)).toEqual([]);
  const [{ subject_id }] = await listInbox(as.manu);
  await ask("POST", `/approvals/${subject_id}/decide`, as.manu, { approved: false });
  await expectInbox(as.manu).toEqual([]);
  await expectInbox(as.admin).toEqual([]);
  await expect.poll(async () => toKinds(await listInbox(as.sara, "?unread=true")), SOON).toEqual(["decided: Reimage"]);
  // A user who may no longer decide sees no pending approvals.
  void ask("POST", "/tools/request_human_approval", as.noor, { action: "Wipe", justification: "x", budget_ms: 60_000 });
  await expectInbox(as.manu).toEqual(["waiting: Wipe"]);
  await ask("PATCH", "/users/manu", as.admin, { role: "tier1" });
  as.manu = await signIn("manu");
  expect(await listInbox(as.manu)).toEqual([]);
});

it("reminds the assignee of a case that is due within the hour", async () => {
  await expectInbox(as.dina).toEqual(["due: Due soon"]);
});

it("notifies a user of a sign-in from a new place but not from a known place", async () => {
  const agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0";
  const payload = { username: "dina", password: ADMIN_PASSWORD };
  for (let times = 0; times < 2; times += 1) {
    const headers = { "user-agent": agent };
    await platform.app.inject({ method: "POST", url: "/api/v1/auth/token", payload, headers });
  }
  const listed = async () => toKinds(await listInbox(as.dina, "?kind=sign_in"));
  await expect.poll(listed, SOON).toEqual(["sign_in: Sign-in from a new place: Firefox on Windows, 127.0.0.1"]);
  const [item] = await listInbox(as.dina, "?kind=sign_in");
  expect(item).toMatchObject({ subject_type: "user", subject_id: "dina", actor: "127.0.0.1", read_at: null });
});

it("keeps a limited number of items per user", async () => {
  const base = await testPlatform("real");
  await base.db
    .insertInto("users")
    .values({ username: "sara", role: "tier3", password_hash: "x" } as never)
    .execute();
  const writer = createInboxWriter(base.db);
  const at = base.clock.now();
  const about = { kind: "due", subject_type: "case", subject_id: "c", title: "t", actor: null } as const;
  const items = Array.from({ length: 30 }, (_, place) => ({
    ...about,
    id: base.ids.next(),
    username: "sara",
    at: new Date(at.getTime() - place * 1000),
    cause: `c${place}`,
  }));
  expect(await writer.insert(items)).toEqual(["sara"]);
  expect(await writer.insert(items)).toEqual([]);
  expect(await writer.deleteOld(new Date(at.getTime() - 25_500), 20, 7)).toBe(7);
  expect(await writer.deleteOld(new Date(at.getTime() - 25_500), 20, 7)).toBe(3);
  expect(await writer.deleteOld(new Date(at.getTime() - 9500), 20, 100)).toBe(10);
  await base.close();
});

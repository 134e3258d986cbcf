import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { type Adapter, createMemoryAdapter, type MemoryAdapter } from "../../../testing/fixtures/response-actions.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createMemoryGate, type MemoryGate } from "../../../testing/harness/response-gate.ts";
import { createResponseParts, type ResponseParts } from "../../../testing/harness/response-parts.ts";
import { driveToEnd } from "../../../testing/matrices/response-drive.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { playbooksRoutes } from "../playbooks/playbooks.routes.ts";
import { executionsRoutes } from "./executions.routes.ts";
import { createExecutionsWorker } from "./executions.worker.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const scan = (fields: object = {}) => ({ id: "scan", action: "edr.scan", params: { endpoint: "WS-1" }, ...fields });
const notify = (fields: object = {}) => ({
  id: "tell",
  action: "notify.webhook",
  params: { channel: "soc", text: "hello {parameters.who}" },
  ...fields,
});

let platform: TestPlatform;
let adapter: MemoryAdapter;
let gate: MemoryGate;
let parts: ResponseParts;

async function start(mode: Mode = "real", acting: Partial<Adapter> = {}) {
  platform = await testPlatform(mode);
  adapter = { ...createMemoryAdapter(), ...acting };
  gate = createMemoryGate(() => platform.ids.next());
  parts = createResponseParts(platform, adapter, gate);
  const { changes } = platform;
  return featureApp(platform, playbooksRoutes(parts.playbooks, changes), executionsRoutes(parts.executions, changes));
}
type App = Awaited<ReturnType<typeof start>>;

/** Stores a playbook directly, bypassing the mode gate. */
async function keep(id: string, ...steps: object[]) {
  const caller = { kind: "user", username: "admin", role: "admin" } as const;
  await platform.db.transaction().execute((tx) => parts.playbooks.put(tx, caller, id, { value: { name: id, steps } }));
}

const execute = (app: App, path: string, payload?: object, role = "admin") =>
  app.inject({
    method: "POST",
    url: `/api/v1/${path}`,
    headers: { "x-role": role },
    ...(payload && { payload }),
  });

async function runToEnd(app: App, id: string, payload?: object) {
  const { execution_id } = (await execute(app, `soar/playbooks/${id}/execute`, payload)).json();
  await driveToEnd(platform, parts);
  return (await app.inject(`/api/v1/soar/executions/${execution_id}`)).json();
}

afterEach(() => platform.close());

describe("POST execute", () => {
  it("answers with the documented fields on both routes", async () => {
    const app = await start();
    await keep("tell", notify());
    for (const path of ["soar/playbooks/tell/execute", "playbooks/tell/execute"]) {
      const answered = await execute(app, path, { parameters: { who: "you" } });
      expect(answered.statusCode).toBe(200);
      expect(answered.json()).toEqual({
        id: answered.json().execution_id,
        execution_id: expect.stringMatching(UUID),
        playbook_id: "tell",
        playbook_name: "tell",
        status: "queued",
        steps_completed: 0,
        steps_total: 1,
        requires_approval: false,
      });
    }
    const listed = (await app.inject("/api/v1/soar/executions")).json();
    expect(listed).toMatchObject({ total: 2, items: [{ playbook_id: "tell", requested_by: "admin" }, {}] });
    expect((await app.inject("/api/v1/playbooks/executions")).json()).toEqual(listed);
    expect((await app.inject("/api/v1/soar/executions?status=completed")).json().total).toBe(0);
    const actions = await platform.db
      .selectFrom("audit_log")
      .select("action")
      .where("subject_type", "=", "execution")
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(["execution.created", "execution.created"]);
  });

  it("requests approval for a critical playbook and starts it once after the approval", async () => {
    const app = await start();
    await keep("cut-off", { id: "isolate", action: "edr.isolate", params: { endpoint: "{parameters.host}" } });
    const asked = await execute(app, "soar/playbooks/cut-off/execute", { parameters: { host: "WS-1" } });
    expect(asked.statusCode).toBe(200);
    const { approval_id } = asked.json();
    expect(asked.json()).toEqual({
      playbook_id: "cut-off",
      playbook_name: "cut-off",
      status: "pending_approval",
      approval_id: expect.stringMatching(UUID),
      requires_approval: true,
      steps_total: 1,
      missing_inputs: [],
      message: expect.stringMatching(/approval_id/),
    });
    expect(gate.requests).toMatchObject([
      {
        requested_by: "admin",
        playbook_version: 1,
        parameters: { host: "WS-1" },
        effect: [{ summary: "Does edr.isolate", sends: [{ body: { endpoint: "WS-1" } }] }],
      },
    ]);
    const url = `playbooks/cut-off/execute?approval_id=${approval_id}`;
    expect((await execute(app, url)).json()).toMatchObject({ status: "pending_approval", approval_id });
    gate.approve(approval_id);
    const begun = (await execute(app, url)).json();
    expect(begun).toMatchObject({ status: "queued", requires_approval: false });
    expect((await execute(app, url)).json().execution_id).toBe(begun.execution_id);
    await driveToEnd(platform, parts);
    expect([...adapter.calls]).toEqual([[`${begun.execution_id}:isolate:1`, 1]]);
    const detail = (await app.inject(`/api/v1/soar/executions/${begun.execution_id}`)).json();
    expect(detail).toMatchObject({ status: "completed", approval_id, parameters: { host: "WS-1" } });
  });

  it("refuses an invalid call with the reason", async () => {
    const app = await start();
    await keep("tell", notify());
    const unknownId = "019a0000-0000-7000-8000-000000000000";
    const refusals: [string, object | undefined, number, RegExp][] = [
      ["playbooks/nope/execute", undefined, 404, /^playbook 'nope' does not exist$/],
      ["playbooks/tell/execute", { alert_id: unknownId }, 404, /^alert '019a.*' does not exist$/],
      ["playbooks/tell/execute", { case_id: unknownId }, 404, /^case '019a.*' does not exist$/],
      ["playbooks/tell/execute", { alert_id: "x" }, 400, /^alert_id: /],
      ["playbooks/tell/execute", { parameters: 5 }, 400, /^parameters: must be an object$/],
      ["playbooks/tell/execute", { parameters: { a: "\0" } }, 400, /^parameters: contains a character/],
    ];
    for (const [path, payload, status, why] of refusals) {
      const refused = await execute(app, path, payload);
      expect(refused.json().detail).toMatch(why);
      expect(refused.statusCode).toBe(status);
    }
    await execute(app, "soar/playbooks/tell/toggle");
    const disabled = await execute(app, "playbooks/tell/execute");
    expect([disabled.statusCode, disabled.json()]).toEqual([409, { detail: "playbook 'tell' is disabled" }]);
    expect((await execute(app, "soar/playbooks/tell/execute", {}, "tier2")).statusCode).toBe(403);
    expect((await execute(app, "playbooks/tell/execute", {}, "tier1")).statusCode).toBe(403);
  });

  it("refuses a playbook whose actions the caller's permissions do not allow", async () => {
    const app = await start();
    await keep("look", notify(), scan());
    const refused = await execute(app, "playbooks/look/execute", {}, "tier2");
    expect([refused.statusCode, refused.json().detail]).toEqual([
      403,
      "playbook 'look' has a step that needs the permission edr:manage",
    ]);
    expect((await execute(app, "playbooks/look/execute", { dry_run: true }, "agent")).statusCode).toBe(403);
    expect((await execute(app, "playbooks/look/execute", {}, "responder")).statusCode).toBe(200);
    // A person who may decide sees every step of a critical playbook first.
    await keep("cut", scan(), { id: "cut", action: "edr.isolate", params: { endpoint: "WS-1" } });
    expect((await execute(app, "playbooks/cut/execute", {}, "tier2")).json()).toMatchObject({
      status: "pending_approval",
    });
  });

  it("returns in dry_run exactly what it would send, and stores and sends nothing", async () => {
    const app = await start("dry_run");
    await keep("tell", notify({ when: "parameters.who:*" }));
    const preview = (await execute(app, "playbooks/tell/execute", { parameters: { who: "you" } })).json();
    expect(preview).toMatchObject({ dry_run: true, preview: { status: "queued", requires_approval: false } });
    expect(preview.preview.effects).toEqual([
      {
        step_id: "tell",
        summary: "If parameters.who:*: Does notify.webhook",
        sends: [
          {
            destination: "fake",
            method: "POST",
            url: "https://adapter.example/notify.webhook",
            body: { channel: "soc", text: "hello you" },
          },
        ],
      },
    ]);
    await driveToEnd(platform, parts);
    expect((await app.inject("/api/v1/soar/executions")).json().total).toBe(0);
    expect(adapter.calls.size).toBe(0);
  });

  it("marks steps that will be skipped and steps that need results of earlier steps", async () => {
    const app = await start("dry_run");
    const opens = { id: "case", name: "Open", action: "case.create", params: { title: "T" } };
    const comments = { id: "note", name: "Note it", action: "case.comment", params: { body: "{steps.case.status}" } };
    await keep("later", notify({ when: "parameters.who:*" }), opens, comments);
    const { effects } = (await execute(app, "playbooks/later/execute", {})).json().preview;
    expect(effects.map(({ summary }: { summary: string }) => summary)).toEqual([
      "If parameters.who:*: tell: skipped, because the condition is false",
      expect.stringMatching(/^Opens a case 'T'/),
      "Note it (case.comment, with results of earlier steps)",
    ]);
  });

  it("previews in real mode when the body requests it", async () => {
    const app = await start();
    await keep("tell", notify());
    const preview = (await execute(app, "playbooks/tell/execute", { dry_run: true })).json();
    expect(preview).toMatchObject({ dry_run: true, preview: { effects: [{ step_id: "tell" }] } });
    await keep("cut-off", { id: "isolate", action: "edr.isolate", params: { endpoint: "WS-1" } });
    const asked = (await execute(app, "playbooks/cut-off/execute", { dry_run: true })).json();
    expect(asked).toMatchObject({ dry_run: true, preview: { status: "pending_approval", approval_id: null } });
    expect([gate.requests, (await app.inject("/api/v1/soar/executions")).json().total]).toEqual([[], 0]);
  });
});

describe("playbook execution", () => {
  it("skips steps whose condition is false and fills templates once", async () => {
    const texts: unknown[] = [];
    const app = await start("real", {
      async act(_action, _key, params) {
        texts.push(params);
        return { said: "{parameters.secret}" };
      },
    });
    await keep(
      "talk",
      notify(),
      notify({ id: "no", when: "NOT steps.tell.status:completed" }),
      notify({ id: "echo", params: { channel: "soc", text: "{steps.tell.said}" } }),
    );
    const ended = await runToEnd(app, "talk", { parameters: { who: "{alert.host}", secret: "s" } });
    expect(ended.steps.map(({ step_id, status }: { step_id: string; status: string }) => [step_id, status])).toEqual([
      ["tell", "completed"],
      ["no", "skipped"],
      ["echo", "completed"],
    ]);
    expect(texts).toEqual([
      { channel: "soc", text: "hello {alert.host}" },
      { channel: "soc", text: "{parameters.secret}" },
    ]);
    expect(ended).toMatchObject({ status: "completed", steps_completed: 3, error: null });
  });

  it("retries an unavailable action as often as the step allows and then fails", async () => {
    let calls = 0;
    const app = await start("real", {
      async act() {
        calls += 1;
        throw new Problem("unavailable", "no answer");
      },
    });
    await keep("look", scan({ retries: 2 }), notify());
    const ended = await runToEnd(app, "look");
    expect(calls).toBe(3);
    expect(ended).toMatchObject({ status: "failed", error: "step 'scan': no answer", steps_completed: 0 });
    expect(ended.steps).toMatchObject([{ status: "failed", attempt: 3 }]);
  });

  it("does not retry a refusal and continues if the step allows it", async () => {
    let calls = 0;
    const app = await start("real", {
      async act(action) {
        calls += 1;
        if (action === "edr.scan") throw new Problem("conflict", "it is off");
        return {};
      },
    });
    await keep("look", scan({ on_error: "continue" }), notify());
    const ended = await runToEnd(app, "look");
    expect([ended.status, calls]).toEqual(["completed", 2]);
    expect(ended.steps).toMatchObject([{ status: "failed", error: "it is off" }, { status: "completed" }]);
  });

  it("ends a step at its timeout", async () => {
    const app = await start("real", { act: () => new Promise(() => undefined) });
    await keep("look", scan({ timeout_s: 1, retries: 0 }));
    const ended = await runToEnd(app, "look");
    expect(ended).toMatchObject({ status: "failed", error: "step 'scan': no answer within 1 s" });
  });

  it("compensates steps in reverse order with separate keys", async () => {
    const keys: string[] = [];
    const app = await start("real", {
      async act(action, key) {
        keys.push(key.slice(36));
        if (action === "notify.webhook") throw new Problem("conflict", "no such channel");
        return {};
      },
    });
    const back = { action: "edr.scan", params: { endpoint: "WS-1" } };
    await keep(
      "try",
      scan({ compensate: back }),
      scan({ id: "again", compensate: back }),
      notify({ on_error: "compensate" }),
    );
    const ended = await runToEnd(app, "try");
    expect(ended).toMatchObject({ status: "compensated", error: "step 'tell': no such channel" });
    expect(keys).toEqual([":scan:1", ":again:1", ":tell:1", ":again:1:compensate", ":scan:1:compensate"]);
    const compensated = ended.steps.filter(({ part }: { part: string }) => part === "compensation");
    expect(compensated).toMatchObject([
      { step_id: "again", status: "completed" },
      { step_id: "scan", status: "completed" },
    ]);
  });

  it.each([
    ["approved", "completed", 1],
    ["rejected", "rejected", 0],
    ["timeout", "timeout", 0],
  ] as const)("ends as %s when its step is %s", async (decision, status, calls) => {
    const app = await start();
    await keep("ask", { id: "agree", action: "approval.request", params: { action: "go on" } }, notify());
    const { execution_id } = (await execute(app, "playbooks/ask/execute")).json();
    for (const handed of await parts.work.claimDue(10)) await parts.interpreter().run(handed);
    const parked = (await app.inject(`/api/v1/soar/executions/${execution_id}`)).json();
    expect(parked).toMatchObject({
      status: "waiting",
      steps: [{ status: "waiting", approval_id: expect.stringMatching(UUID) }],
    });
    await driveToEnd(platform, parts, { decision });
    expect((await parts.executions.get(execution_id)).status).toBe(status);
    expect(adapter.calls.size).toBe(calls);
  });

  it("can be cancelled while it waits; a later decision has no effect", async () => {
    const app = await start();
    await keep("ask", { id: "agree", action: "approval.request", params: { action: "go on" } }, notify());
    const { execution_id } = (await execute(app, "playbooks/ask/execute")).json();
    for (const handed of await parts.work.claimDue(10)) await parts.interpreter().run(handed);
    const cancelled = await execute(app, `soar/executions/${execution_id}/cancel`);
    expect([cancelled.statusCode, cancelled.json().status]).toEqual([200, "cancelled"]);
    await platform.db.transaction().execute((tx) => parts.executions.resume(tx, execution_id, "approved"));
    await driveToEnd(platform, parts);
    expect((await parts.executions.get(execution_id)).status).toBe("cancelled");
    expect(adapter.calls.size).toBe(0);
    const twice = await execute(app, `soar/executions/${execution_id}/cancel`);
    expect([twice.statusCode, twice.json()]).toEqual([409, { detail: `execution '${execution_id}' is cancelled` }]);
  });

  it("can be cancelled while a step runs and starts no further step", async () => {
    const arrived: (() => void)[] = [];
    const app = await start("real", { act: () => new Promise((resolve) => arrived.push(() => resolve({}))) });
    await keep("look", scan(), notify());
    const { execution_id } = (await execute(app, "playbooks/look/execute")).json();
    const [handed] = await parts.work.claimDue(1);
    if (!handed) throw new Error("nothing is due");
    const running = parts.interpreter().run(handed);
    await expect.poll(() => arrived.length).toBe(1);
    expect((await execute(app, `soar/executions/${execution_id}/cancel`)).json().status).toBe("running");
    arrived[0]?.();
    await running;
    const ended = await parts.executions.get(execution_id);
    expect(ended).toMatchObject({ status: "cancelled", error: "cancelled by admin", steps: [{ status: "completed" }] });
    expect(arrived).toHaveLength(1);
  });

  it("is stored as simulated when an automation starts it in dry_run", async () => {
    await start("dry_run");
    await keep("tell", notify());
    const about = { playbook_id: "tell", alert_id: null, case_id: null, parameters: {} };
    const asked = { ...about, actor: "automation:night", requesters: [], permissions: [], mayExecute: false };
    const started = await platform.db.transaction().execute((tx) => parts.executions.start(tx, asked));
    await driveToEnd(platform, parts);
    const { items } = await parts.executions.list({});
    expect(items).toMatchObject([
      { ...started, simulated: true, requested_by: "automation:night", status: "completed" },
    ]);
  });

  it("keeps the playbook version with which it started", async () => {
    const app = await start();
    await keep("tell", notify());
    const { execution_id } = (await execute(app, "playbooks/tell/execute")).json();
    await keep("tell", notify({ id: "other" }));
    await driveToEnd(platform, parts);
    const { steps, playbook_version } = await parts.executions.get(execution_id);
    expect([playbook_version, steps.map(({ step_id }) => step_id)]).toEqual([1, ["tell"]]);
  });
});

describe("execution workers", () => {
  it("prevents writes of a worker after another one has taken over", async () => {
    const arrived: (() => void)[] = [];
    const app = await start("real", { act: () => new Promise((resolve) => arrived.push(() => resolve({}))) });
    await keep("look", scan(), notify());
    const { execution_id } = (await execute(app, "playbooks/look/execute")).json();
    const [handed] = await parts.work.claimDue(1);
    if (!handed) throw new Error("nothing is due");
    const stale = parts.interpreter().run(handed);
    await expect.poll(() => arrived.length).toBe(1);
    const fresh = parts.interpreter().run(handed);
    await expect.poll(() => arrived.length).toBe(2);
    arrived[1]?.();
    await expect.poll(() => arrived.length).toBe(3);
    arrived[0]?.();
    await stale;
    // The stale worker wrote nothing and started nothing.
    expect(arrived).toHaveLength(3);
    expect((await parts.executions.get(execution_id)).steps).toMatchObject([
      { status: "completed" },
      { status: "running" },
    ]);
    arrived[2]?.();
    await fresh;
    expect((await parts.executions.get(execution_id)).status).toBe("completed");
  });

  it("claims each execution once, even concurrently", async () => {
    const app = await start();
    await keep("tell", notify());
    for (let count = 0; count < 30; count += 1) await execute(app, "playbooks/tell/execute");
    const claims = await Promise.all(Array.from({ length: 8 }, () => parts.work.claimDue(10)));
    const ids = claims.flat().map(({ execution_id }) => execution_id);
    const rest = (await parts.work.claimDue(100)).map(({ execution_id }) => execution_id);
    expect(new Set([...ids, ...rest]).size).toBe(30);
    expect(ids.length + rest.length).toBe(30);
  });

  it("abandons an execution that fails repeatedly", async () => {
    const app = await start();
    await keep("tell", notify());
    const { execution_id } = (await execute(app, "playbooks/tell/execute")).json();
    for (let time = 0; time <= 20; time += 1) {
      await platform.db
        .updateTable("executions")
        .set({ due_at: new Date(0) })
        .where("finished_at", "is", null)
        .execute();
      const [handed] = await parts.work.claimDue(1);
      if (!handed) throw new Error(`abandoned after ${time}`);
      await parts.work.handOutAgain(handed, async () => undefined);
    }
    const ended = await parts.executions.get(execution_id);
    expect([ended.status, ended.error]).toEqual(["failed", "its workers failed too often"]);
  });

  it("records an abandoned execution once", async () => {
    const app = await start();
    await keep("tell", notify());
    const { execution_id } = (await execute(app, "playbooks/tell/execute")).json();
    await parts.work.claimDue(1);
    await sql`UPDATE executions SET failures = 20, handed_out_at = now() - interval '1 minute'`.execute(platform.db);
    const worker = createExecutionsWorker({
      work: parts.work,
      hasDue: async () => false,
      workflows: {
        enqueue: async () => undefined,
        readStates: async (_lane, ids) => new Map(ids.map((id) => [id, "failed"])),
      },
      audit: parts.audit,
      isAllowed: async () => true,
      clock: platform.clock,
      log: silentLog,
    });
    worker.start();
    await expect.poll(async () => (await parts.executions.get(execution_id)).status).toBe("failed");
    await worker.close();
    const audited = await platform.db
      .selectFrom("audit_log")
      .select(["actor", "action", "details"])
      .where("subject_id", "=", execution_id)
      .where("action", "<>", "execution.created")
      .execute();
    const details = { playbook_id: "tell", status: "failed", error: "its workers failed too often" };
    expect(audited).toMatchObject([{ actor: "admin", action: "execution.finished", details }]);
  });

  it("retries a step that failed only because the database was unavailable", async () => {
    const app = await start();
    await keep("open", { id: "case", action: "case.create", params: { title: "found" } });
    const { execution_id } = (await execute(app, "playbooks/open/execute")).json();
    const [handed] = await parts.work.claimDue(1);
    if (!handed) throw new Error("nothing is due");
    // The lock makes the statement time out, like a slow database.
    const owner = new pg.Client(platform.url);
    await owner.connect();
    await owner.query("BEGIN; LOCK TABLE case_timeline IN ACCESS EXCLUSIVE MODE");
    await expect(parts.interpreter().run(handed)).rejects.toMatchObject({ kind: "unavailable" });
    await owner.end();
    expect((await parts.executions.get(execution_id)).steps).toEqual([]);
    await parts.interpreter().run(handed);
    expect(await parts.executions.get(execution_id)).toMatchObject({
      status: "completed",
      steps: [{ status: "completed", attempt: 1 }],
    });
  });

  it("keeps the newest ended executions and deletes the others", async () => {
    const app = await start();
    await keep("tell", notify());
    for (let count = 0; count < 5; count += 1) await runToEnd(app, "tell");
    await execute(app, "playbooks/tell/execute");
    expect(await parts.work.forget(2, 2)).toBe(2);
    expect(await parts.work.forget(2, 2)).toBe(1);
    expect(await parts.work.forget(2, 2)).toBe(0);
    expect((await app.inject("/api/v1/soar/executions")).json().total).toBe(3);
  });
});

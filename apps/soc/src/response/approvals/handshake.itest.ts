import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemoryAdapter, type MemoryAdapter } from "../../../testing/fixtures/response-actions.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createResponseParts, type ResponseParts } from "../../../testing/harness/response-parts.ts";
import { driveToEnd } from "../../../testing/matrices/response-drive.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { executionsRoutes } from "../executions/executions.routes.ts";
import { createGate, type Gate } from "./approval-gate.ts";
import { approvalsRoutes } from "./approvals.routes.ts";
import { createApprovalsService } from "./approvals.service.ts";
import { createApprovalsStore, createShowcaseApprovalsStore } from "./approvals.store.ts";

const ROUNDS = process.env.PROVE === "full" ? 100 : 5;
const CALLERS = 50;
const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
const ROUTES = ["soar/playbooks", "playbooks"] as const;

let platform: TestPlatform;
let adapter: MemoryAdapter;
let parts: ResponseParts;
let gate: Gate;
let app: Awaited<ReturnType<typeof featureApp>>;

beforeEach(async () => {
  platform = await testPlatform("real");
  const { db, runtime, ids, changes } = platform;
  const audit = createAuditStore(ids);
  adapter = createMemoryAdapter();
  gate = createGate({ db, audit, ids, fourEyes: false });
  parts = createResponseParts(platform, adapter, gate);
  const stores = { database: createApprovalsStore(db), showcase: createShowcaseApprovalsStore([]) };
  const approvals = createApprovalsService({ runtime, stores, executions: parts.executions, audit });
  app = await featureApp(platform, executionsRoutes(parts.executions, changes), approvalsRoutes(approvals, changes));
});
afterEach(() => platform.close());

/** Stores a critical playbook that isolates one host. */
async function keep(fields: object = {}) {
  const steps = [{ id: "isolate", action: "edr.isolate", params: { endpoint: "{parameters.host}" } }];
  await platform.db
    .transaction()
    .execute((tx) => parts.playbooks.put(tx, ADMIN, "cut-off", { value: { name: "Cut off", steps, ...fields } }));
}

interface CallOptions {
  route?: string;
  role?: string;
}

const execute = (query = "", payload?: object, { route = ROUTES[0], role = "tier3" }: CallOptions = {}) =>
  app.inject({
    method: "POST",
    url: `/api/v1/${route}/cut-off/execute${query}`,
    headers: { "x-role": role },
    ...(payload && { payload }),
  });
const decide = (id: string, payload: object, role = "manager") =>
  app.inject({ method: "POST", url: `/api/v1/approvals/${id}/decide`, payload, headers: { "x-role": role } });
const ask = async (host: string): Promise<string> => (await execute("", { parameters: { host } })).json().approval_id;
const executionCount = async () => (await platform.db.selectFrom("executions").select("execution_id").execute()).length;

it.each(ROUTES)("requests an approval at /%s and runs the playbook after the decision", async (route) => {
  await keep();
  const asked = await execute("", { parameters: { host: "WS-1" } }, { route });
  expect(asked.json()).toMatchObject({
    playbook_id: "cut-off",
    playbook_name: "Cut off",
    status: "pending_approval",
    requires_approval: true,
    steps_total: 1,
  });
  const { approval_id } = asked.json();
  const query = `?approval_id=${approval_id}`;
  expect((await execute("", { parameters: { host: "WS-1" } }, { route })).json().approval_id).toBe(approval_id);
  expect((await execute(query, undefined, { route })).json()).toMatchObject({
    status: "pending_approval",
    approval_id,
  });
  expect(await executionCount()).toBe(0);
  const shown = (await app.inject(`/api/v1/approvals/${approval_id}`)).json();
  expect(shown.effect).toEqual([
    {
      summary: "Does edr.isolate",
      sends: [
        { destination: "fake", method: "POST", url: "https://adapter.example/edr.isolate", body: { endpoint: "WS-1" } },
      ],
    },
  ]);
  await decide(approval_id, { approved: true });
  const begun = await execute(query, undefined, { route });
  const { execution_id } = begun.json();
  expect(begun.json()).toMatchObject({ status: "queued", requires_approval: false });
  await driveToEnd(platform, parts);
  expect([...adapter.calls.values()]).toEqual([1]);
  expect((await execute(query, undefined, { route })).json()).toMatchObject({ execution_id, status: "completed" });
  await driveToEnd(platform, parts);
  expect([...adapter.calls.values()]).toEqual([1]);
});

it("starts one execution when fifty callers repeat the call concurrently over both routes, in every round", {
  timeout: ROUNDS * 8000 + 20_000,
}, async () => {
  await keep();
  for (let round = 0; round < ROUNDS; round += 1) {
    const approval_id = await ask(`WS-${round}`);
    await decide(approval_id, { approved: true });
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, (_, number) =>
        execute(`?approval_id=${approval_id}`, undefined, { route: ROUTES[number % 2] ?? "" }),
      ),
    );
    // On a busy machine a losing caller may get 503; it never gets another execution.
    const given = answers.filter(({ statusCode }) => statusCode === 200);
    expect(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 503)).toBe(true);
    expect(new Set(given.map((each) => each.json().execution_id)).size).toBe(1);
    expect(await executionCount()).toBe(round + 1);
  }
  await driveToEnd(platform, parts);
  expect(adapter.calls.size).toBe(ROUNDS);
  expect([...adapter.calls.values()].every((count) => count === 1)).toBe(true);
});

it("takes an input from the alert and keeps it for the repeated call", async () => {
  const inputs = [{ name: "host", from: "alert.host" }];
  await keep({ inputs });
  const report = { title: "it spreads", source: "sensor", host: "WS-1" };
  const sensor = { kind: "user", username: "sensor", role: "agent" } as const;
  const { alert } = await platform.db.transaction().execute((tx) => parts.alerts.create(tx, sensor, report));
  const { approval_id } = (await execute("", { alert_id: alert.id })).json();
  const shown = (await app.inject(`/api/v1/approvals/${approval_id}`)).json();
  expect(shown).toMatchObject({ parameters: { host: "WS-1" }, effect: [{ sends: [{ body: { endpoint: "WS-1" } }] }] });
  await decide(approval_id, { approved: true });
  const query = `?approval_id=${approval_id}`;
  const { execution_id } = (await execute(query, { alert_id: alert.id, parameters: {} })).json();
  await driveToEnd(platform, parts);
  expect(await parts.executions.get(execution_id)).toMatchObject({ status: "completed", parameters: { host: "WS-1" } });
  expect((await execute(query)).json()).toMatchObject({ execution_id, status: "completed" });
});

it("causes no effect when the approval is refused", async () => {
  await keep({ approval: { four_eyes: true } });
  const host = "WS-1";
  const rejected = await ask(host);
  await decide(rejected, { approved: false });
  const expired = await ask(host);
  await decide(expired, { approved: true });
  await sql`UPDATE approvals SET requested_at = now() - interval '5 hours', expires_at = now() - interval '1 hour'
    WHERE id = ${expired}`.execute(platform.db);
  const approved = await ask(host);
  await decide(approved, { approved: true });
  const own = (await execute("", { parameters: { host } }, { role: "admin" })).json().approval_id;
  expect((await decide(own, { approved: true }, "admin")).statusCode).toBe(403);
  const refusals: [string, object | undefined, string][] = [
    [rejected, undefined, "tier3"],
    [expired, undefined, "tier3"],
    [approved, { parameters: { host: "DC-01" } }, "tier3"],
    ["nope", undefined, "tier3"],
  ];
  for (const [id, payload, role] of refusals) {
    for (const route of ROUTES) {
      const refused = await execute(`?approval_id=${id}`, payload, { route, role });
      expect(refused.statusCode).toBe(409);
      expect(refused.json().detail).toMatch(/^approval_id: /);
    }
  }
  expect((await execute(`?approval_id=${own}`, undefined, { role: "admin" })).json().status).toBe("pending_approval");
  await keep({ description: "changed since" });
  const changed = await execute(`?approval_id=${approved}`);
  expect(changed.json().detail).toMatch(/is for version 1 of the playbook, which has changed since$/);
  await driveToEnd(platform, parts);
  expect([await executionCount(), adapter.calls.size]).toEqual([0, 0]);
});

describe("steps that request an approval", () => {
  async function work(): Promise<number> {
    const due = await parts.work.claimDue(100);
    for (const handed of due) await parts.interpreter().run(handed);
    return due.length;
  }

  it.each([
    [true, "completed", 1],
    [false, "rejected", 0],
  ])("ends the execution after the decision (approved: %s) as %s", async (approved, status, effects) => {
    const steps = [
      { id: "ask", action: "approval.request", params: { action: "scan WS-1" } },
      { id: "scan", action: "edr.scan", params: { endpoint: "WS-1" } },
    ];
    await keep({ steps });
    const { execution_id } = (await execute()).json();
    while ((await work()) > 0);
    const about = { action: "scan WS-1", justification: "", effect: [], key: `${execution_id}:ask:0` };
    const { id } = await platform.db.transaction().execute((tx) =>
      gate.requestStep(tx, {
        ...about,
        execution_id,
        playbook_id: "cut-off",
        alert_id: null,
        case_id: null,
        requested_by: "tier3",
        requesters: ["tier3"],
      }),
    );
    expect(await work()).toBe(0);
    expect((await decide(id, { approved })).statusCode).toBe(200);
    while ((await work()) > 0);
    const found = await platform.db.selectFrom("executions").select("status").executeTakeFirstOrThrow();
    expect([found.status, adapter.calls.size]).toEqual([status, effects]);
  });
});

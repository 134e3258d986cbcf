import { afterEach, beforeEach, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createPlaybookWorld, type PlaybookWorld } from "../../../testing/matrices/response-places.ts";
import { approvalsRoutes } from "../approvals/approvals.routes.ts";
import { createDeadlinesService } from "../approvals/deadlines.service.ts";
import { executionsRoutes } from "./executions.routes.ts";

const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
const RACES = 10;

let platform: TestPlatform;
let world: PlaybookWorld;
let app: Awaited<ReturnType<typeof featureApp>>;

beforeEach(async () => {
  platform = await testPlatform("real");
  world = await createPlaybookWorld(platform);
  const { changes } = platform;
  const { executions } = world.parts;
  app = await featureApp(platform, executionsRoutes(executions, changes), approvalsRoutes(world.approvals, changes));
  const steps = [
    { id: "agree", action: "approval.request", params: { action: "tell the world", ttl_hours: 2, four_eyes: true } },
    { id: "tell", action: "notify.webhook", params: { channel: "soc", text: "go" } },
  ];
  await platform.db
    .transaction()
    .execute((tx) => world.parts.playbooks.put(tx, ADMIN, "ask", { value: { name: "Ask", steps } }));
});
afterEach(() => platform.close());

const post = (path: string, role: string, payload?: object) =>
  app.inject({ method: "POST", url: `/api/v1/${path}`, headers: { "x-role": role }, ...(payload && { payload }) });
const decide = (id: string, approved: boolean) => post(`approvals/${id}/decide`, "manager", { approved });
const cancel = (execution_id: string) => post(`soar/executions/${execution_id}/cancel`, "responder");
const pending = async () => (await app.inject("/api/v1/approvals")).json().items;

/** Runs the due executions once. */
async function work(): Promise<void> {
  for (const handed of await world.parts.work.claimDue(100)) await world.parts.interpreter().run(handed);
}

/** Starts an execution that waits for a decision and returns it with its approval. */
async function ask() {
  const { execution_id } = (await post("playbooks/ask/execute", "tier3")).json();
  await work();
  const { steps } = await world.parts.executions.get(execution_id);
  return { execution_id, approval_id: steps[0]?.approval_id ?? "" };
}

const readEnd = async (execution_id: string) => {
  const { status, steps } = await world.parts.executions.get(execution_id);
  return { status, steps: steps.map((step) => step.status), calls: world.adapter.calls.size };
};

it("parks an execution and requests an approval for its step", async () => {
  const { execution_id, approval_id } = await ask();
  expect(await pending()).toMatchObject([
    {
      id: approval_id,
      kind: "step",
      execution_id,
      playbook_id: "ask",
      action: "tell the world",
      requested_by: "tier3",
      effect: [{ summary: "Continues with: tell the world", sends: [] }],
    },
  ]);
  await work();
  expect(await readEnd(execution_id)).toEqual({ status: "waiting", steps: ["waiting"], calls: 0 });
});

it.each([
  [true, { status: "completed", steps: ["completed", "completed"], calls: 1 }],
  [false, { status: "rejected", steps: ["rejected"], calls: 0 }],
])("resumes an execution after a decision (approved: %s)", async (approved, end) => {
  const { execution_id, approval_id } = await ask();
  expect((await decide(approval_id, approved)).statusCode).toBe(200);
  await work();
  expect(await readEnd(execution_id)).toEqual(end);
});

it("ends an execution when no reviewer decides in time", async () => {
  const { execution_id, approval_id } = await ask();
  const { db } = platform;
  await db
    .updateTable("approvals")
    .set({ requested_at: new Date(0), expires_at: new Date(1) })
    .where("id", "=", approval_id)
    .execute();
  const { executions, audit } = world.parts;
  await db.transaction().execute((tx) => createDeadlinesService({ executions, audit }).expire(tx));
  await work();
  expect(await readEnd(execution_id)).toEqual({ status: "timeout", steps: ["timeout"], calls: 0 });
});

it("withdraws the approval of a cancelled execution, so that it cannot be decided", async () => {
  const { execution_id, approval_id } = await ask();
  expect((await cancel(execution_id)).json()).toMatchObject({ status: "cancelled" });
  expect(await pending()).toEqual([]);
  expect((await decide(approval_id, true)).statusCode).toBe(409);
  await work();
  expect(await readEnd(execution_id)).toMatchObject({ status: "cancelled", calls: 0 });
  const audited = await platform.db
    .selectFrom("audit_log")
    .select(["actor", "action"])
    .where("subject_id", "=", approval_id)
    .orderBy("at")
    .execute();
  expect(audited).toEqual([
    { actor: "tier3", action: "approval.requested" },
    { actor: "responder", action: "approval.withdrawn" },
  ]);
});

it("keeps the approval when an execution can no longer be cancelled", async () => {
  const { execution_id, approval_id } = await ask();
  await decide(approval_id, true);
  await work();
  expect((await cancel(execution_id)).statusCode).toBe(409);
  const { status } = (await app.inject(`/api/v1/approvals/${approval_id}`)).json();
  expect(status).toBe("approved");
});

it("leaves no pending approval and no stuck execution when a cancellation races with a decision", async () => {
  for (let race = 0; race < RACES; race += 1) {
    const { execution_id, approval_id } = await ask();
    const [cancelled, decided] = await Promise.all([cancel(execution_id), decide(approval_id, true)]);
    expect(cancelled.statusCode).toBe(200);
    expect([200, 409]).toContain(decided.statusCode);
    await work();
    expect(await readEnd(execution_id)).toMatchObject({ status: "cancelled", calls: 0 });
    expect(await pending()).toEqual([]);
  }
});

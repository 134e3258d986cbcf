import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { driveToEnd } from "../../../testing/matrices/response-drive.ts";
import { createPlaybookWorld, type PlaybookWorld } from "../../../testing/matrices/response-places.ts";
import { approvalsRoutes } from "../approvals/approvals.routes.ts";
import { executionsRoutes } from "./executions.routes.ts";

const ADMIN = { kind: "user", username: "admin", role: "admin" } as const;
const ISOLATE = { id: "cut", name: "Cut it off", action: "edr.isolate", params: { endpoint: "WS-1" } };
const UNDO = { action: "edr.unisolate", params: { endpoint: "WS-1" } };
const PAUSE = { id: "pause", action: "wait", params: { seconds: 3600 } };
/** Fails because there is no alert to change. */
const FAILS = { id: "fail", action: "alert.update", params: { status: "triaged" }, on_error: "compensate" };

let platform: TestPlatform;
let world: PlaybookWorld;
let app: Awaited<ReturnType<typeof featureApp>>;

beforeEach(async () => {
  platform = await testPlatform("real");
  world = await createPlaybookWorld(platform);
  const { changes } = platform;
  const { executions } = world.parts;
  app = await featureApp(platform, executionsRoutes(executions, changes), approvalsRoutes(world.approvals, changes));
});
afterEach(() => platform.close());

const post = (path: string, payload: object = {}, role = "admin") =>
  app.inject({ method: "POST", url: `/api/v1/${path}`, headers: { "x-role": role }, payload });
const decide = (id: string, approved: boolean) => post(`approvals/${id}/decide`, { approved }, "manager");
const pending = async () => (await app.inject("/api/v1/approvals")).json().items;
const get = (execution_id: string) => world.parts.executions.get(execution_id);

/** Returns the sent requests by the suffixes of their keys. */
const sent = (execution_id: string) =>
  [...world.adapter.calls.keys()].filter((key) => key.startsWith(execution_id)).map((key) => key.slice(36));

/** Runs the due executions once. */
async function work(): Promise<void> {
  for (const handed of await world.parts.work.claimDue(100)) await world.parts.interpreter().run(handed);
}

/** Starts an approved playbook with these steps, and runs it until it ends or waits. */
async function run(steps: object[], body: object = {}): Promise<string> {
  const put = { name: "Respond", critical: true, steps };
  await platform.db.transaction().execute((tx) => world.parts.playbooks.put(tx, ADMIN, "respond", { value: put }));
  const { approval_id } = (await post("soar/playbooks/respond/execute", body)).json();
  expect((await decide(approval_id, true)).statusCode).toBe(200);
  const begun = await post(`soar/playbooks/respond/execute?approval_id=${approval_id}`);
  expect(begun.statusCode).toBe(200);
  await work();
  return begun.json().execution_id;
}

/** Makes a waiting execution due, as if its time had passed. */
const pass = () =>
  sql`UPDATE executions SET due_at = now() - interval '1 second' WHERE status = 'waiting'`.execute(platform.db);

describe("critical steps", () => {
  const opens = { id: "open", action: "case.create", params: { title: "Found" } };
  const found = { ...ISOLATE, params: { endpoint: "{steps.open.case_id}" } };

  it("requests a new approval that shows the target when an earlier step found it", async () => {
    const execution_id = await run([opens, found]);
    const { steps, status, case_id } = await get(execution_id);
    expect([status, sent(execution_id)]).toEqual(["waiting", []]);
    const [asked] = await pending();
    expect(asked).toMatchObject({
      id: steps[1]?.approval_id,
      kind: "step",
      execution_id,
      action: "Run step 'Cut it off'",
      effect: [{ sends: [{ body: { endpoint: case_id } }] }],
    });
    await decide(asked.id, true);
    await work();
    expect([(await get(execution_id)).status, sent(execution_id)]).toEqual(["completed", [":cut:1"]]);
  });

  it("does not run the step when that approval is rejected", async () => {
    const execution_id = await run([opens, found]);
    const [asked] = await pending();
    await decide(asked.id, false);
    await work();
    expect([(await get(execution_id)).status, sent(execution_id)]).toEqual(["rejected", []]);
  });

  it("requests a new approval when a field of the alert changed during the wait", async () => {
    const report = { title: "it spreads", source: "sensor", host: "WS-1" };
    const { alert } = await platform.db.transaction().execute((tx) => world.parts.alerts.create(tx, ADMIN, report));
    const cut = { ...ISOLATE, params: { endpoint: "{alert.host}" } };
    const execution_id = await run([PAUSE, cut], { alert_id: alert.id });
    await sql`UPDATE alerts SET host = 'DC-01' WHERE id = ${alert.id}`.execute(platform.db);
    await pass();
    await work();
    expect(sent(execution_id)).toEqual([]);
    expect(await pending()).toMatchObject([{ kind: "step", effect: [{ sends: [{ body: { endpoint: "DC-01" } }] }] }]);
  });

  it("requests one approval when the effect equals the approved one, even for a case that the playbook opens", async () => {
    const cut = { ...ISOLATE, params: { endpoint: "WS-1", reason: "run {execution.id}" } };
    const execution_id = await run([opens, cut]);
    expect([(await get(execution_id)).status, sent(execution_id)]).toEqual(["completed", [":cut:1"]]);
    expect(await pending()).toEqual([]);
  });

  it("requires the playbook's quorum for the new approval", async () => {
    const put = { name: "Two", steps: [opens, found], approval: { quorum: 2 } };
    await platform.db.transaction().execute((tx) => world.parts.playbooks.put(tx, ADMIN, "two", { value: put }));
    const { approval_id } = (await post("soar/playbooks/two/execute")).json();
    await decide(approval_id, true);
    await post(`approvals/${approval_id}/decide`, { approved: true });
    await post(`soar/playbooks/two/execute?approval_id=${approval_id}`);
    await work();
    const [asked] = await pending();
    const detail = await app.inject(`/api/v1/approvals/${asked.id}`);
    expect(detail.json().policy).toEqual({ four_eyes: false, quorum: 2 });
  });
});

describe("containment steps", () => {
  it("does not undo a containment after a failure until a person approves", async () => {
    const execution_id = await run([{ ...ISOLATE, compensate: UNDO }, FAILS]);
    expect([(await get(execution_id)).status, sent(execution_id)]).toEqual(["waiting", [":cut:1"]]);
    const [asked] = await pending();
    expect(asked).toMatchObject({ kind: "step", action: "Undo step 'Cut it off'" });
    await decide(asked.id, true);
    await work();
    expect(await get(execution_id)).toMatchObject({ status: "compensated" });
    expect(sent(execution_id)).toEqual([":cut:1", ":cut:1:compensate"]);
  });

  it("keeps a containment when the person rejects, and reports it in the execution", async () => {
    const execution_id = await run([{ ...ISOLATE, compensate: UNDO }, FAILS]);
    const [asked] = await pending();
    await decide(asked.id, false);
    await work();
    const { status, error } = await get(execution_id);
    expect([status, error]).toEqual([
      "failed",
      expect.stringMatching(/step 'cut' not compensated: the approval was rejected$/),
    ]);
    expect(sent(execution_id)).toEqual([":cut:1"]);
  });

  it("never undoes a containment of a built-in playbook automatically", () => {
    const steps = world.playbooks.flatMap((playbook) => playbook.steps);
    expect(steps.filter(({ action }) => action === "edr.isolate")).toHaveLength(2);
    expect(steps.filter(({ compensate }) => compensate !== null)).toEqual([]);
  });
});

describe("cancelled executions", () => {
  const notes = { id: "note", action: "edr.scan", params: { endpoint: "WS-1" } };
  const back = { action: "notify.webhook", params: { channel: "soc", text: "never mind" } };

  it("compensates a cancelled execution before it ends", async () => {
    const execution_id = await run([{ ...notes, compensate: back }, PAUSE]);
    const cancelled = await post(`soar/executions/${execution_id}/cancel`);
    expect([cancelled.statusCode, cancelled.json().status]).toEqual([200, "waiting"]);
    await work();
    expect(await get(execution_id)).toMatchObject({ status: "cancelled", error: "cancelled by admin" });
    expect(sent(execution_id)).toEqual([":note:1", ":note:1:compensate"]);
  });

  it("keeps the containment unless a person approves its end", async () => {
    const execution_id = await run([{ ...ISOLATE, compensate: UNDO }, PAUSE]);
    await post(`soar/executions/${execution_id}/cancel`);
    await work();
    const [asked] = await pending();
    expect(asked).toMatchObject({ action: "Undo step 'Cut it off'" });
    await decide(asked.id, false);
    await work();
    const error = "cancelled by admin; step 'cut' not compensated: the approval was rejected";
    expect(await get(execution_id)).toMatchObject({ status: "cancelled", error });
    expect(sent(execution_id)).toEqual([":cut:1"]);
  });

  it("refuses a cancellation during the compensation, which continues", async () => {
    const execution_id = await run([{ ...ISOLATE, compensate: UNDO }, FAILS]);
    const refused = await post(`soar/executions/${execution_id}/cancel`);
    const detail = `execution '${execution_id}' is being compensated, which cannot be cancelled`;
    expect([refused.statusCode, refused.json()]).toEqual([409, { detail }]);
    const [asked] = await pending();
    await decide(asked.id, true);
    await work();
    expect(await get(execution_id)).toMatchObject({ status: "compensated" });
  });

  it("compensates all steps although the cancellation comes between two compensations", async () => {
    const steps = [{ ...notes, compensate: back }, { ...notes, id: "other", compensate: back }, FAILS];
    const put = { name: "Respond", steps };
    await platform.db.transaction().execute((tx) => world.parts.playbooks.put(tx, ADMIN, "respond", { value: put }));
    const { execution_id } = (await post("soar/playbooks/respond/execute")).json();
    const cancel = sql`UPDATE executions SET cancelled_by = 'admin' WHERE execution_id = ${execution_id}`;
    await driveToEnd(platform, world.parts, {
      async onCheckpoint(place, step_id) {
        if (place === "begun" && step_id === "other") await cancel.execute(platform.db);
      },
    });
    expect(sent(execution_id)).toEqual([":note:1", ":other:1", ":other:1:compensate", ":note:1:compensate"]);
  });
});

describe("executions whose workers fail too often", () => {
  /** Lets twenty-one continuations fail in a row. */
  async function breakOff(): Promise<void> {
    for (let time = 0; time <= 20; time += 1) {
      await sql`UPDATE executions SET due_at = now() - interval '1 second' WHERE finished_at IS NULL`.execute(
        platform.db,
      );
      const [handed] = await world.parts.work.claimDue(1);
      if (!handed) throw new Error(`ended after ${time} failures`);
      await world.parts.work.handOutAgain(handed, async () => undefined);
    }
  }

  it("requests the compensation of finished steps and then ends as failed", async () => {
    const execution_id = await run([{ ...ISOLATE, compensate: UNDO }, PAUSE]);
    await breakOff();
    expect((await get(execution_id)).finished_at).toBeNull();
    await sql`UPDATE executions SET due_at = now() - interval '1 second' WHERE finished_at IS NULL`.execute(
      platform.db,
    );
    await work();
    const [asked] = await pending();
    expect(asked).toMatchObject({ action: "Undo step 'Cut it off'" });
    await decide(asked.id, true);
    await work();
    expect(await get(execution_id)).toMatchObject({ status: "failed", error: "its workers failed too often" });
    expect(sent(execution_id)).toEqual([":cut:1", ":cut:1:compensate"]);
  });

  it("ends when the compensation fails just as often", async () => {
    const execution_id = await run([{ ...ISOLATE, compensate: UNDO }, PAUSE]);
    await breakOff();
    await breakOff();
    expect(await get(execution_id)).toMatchObject({ status: "failed", error: "its workers failed too often" });
  });
});

import { afterEach, expect, it } from "vitest";
import { type Handshake, startHandshake } from "../../../testing/harness/handshake-world.ts";

const STEPS = [
  { id: "isolate", action: "edr.isolate", params: { endpoint: "WS-1", reason: "asked by {execution.actor}" } },
];

let soc: Handshake;
afterEach(() => soc.close());

async function approved(fields: object = {}): Promise<string> {
  await soc.keep("cut-off", { steps: STEPS, ...fields });
  const { approval_id } = (await soc.execute("cut-off")).json();
  expect((await soc.decide(approval_id, { approved: true })).statusCode).toBe(200);
  return approval_id;
}

it("lets another permitted caller use an approved execution and counts that caller as a requester", async () => {
  soc = await startHandshake();
  const approval_id = await approved();
  const { execution_id, status } = (await soc.execute(`cut-off?approval_id=${approval_id}`, {}, "responder")).json();
  expect(status).toBe("queued");
  const { db } = soc.platform;
  const row = await db.selectFrom("executions").select(["requested_by", "requesters"]).executeTakeFirstOrThrow();
  expect(row.requested_by).toBe("tier3");
  expect(row.requesters.toSorted()).toEqual(["admin", "responder", "tier3"]);
  expect(await soc.audited(approval_id)).toContainEqual(
    expect.objectContaining({ actor: "responder", action: "approval.used" }),
  );
  expect((await soc.execute(`cut-off?approval_id=${approval_id}`)).json().execution_id).toBe(execution_id);
});

it("starts one execution when two people repeat the call concurrently", async () => {
  soc = await startHandshake();
  const approval_id = await approved();
  const replays = await Promise.all(
    ["tier3", "responder", "admin"].map((role) => soc.execute(`cut-off?approval_id=${approval_id}`, {}, role)),
  );
  expect(replays.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(new Set(replays.map((each) => each.json().execution_id)).size).toBe(1);
  expect(await soc.executionCount()).toBe(1);
});

it("refuses a person who decided the approval under four eyes and does not consume it", async () => {
  soc = await startHandshake({ fourEyes: true });
  await soc.keep("cut-off", { steps: STEPS, approval: { quorum: 2 } });
  await soc.platform.db.updateTable("playbooks").set({ updated_by: "vendor" }).execute();
  const { approval_id } = (await soc.execute("cut-off")).json();
  for (const role of ["manager", "admin"]) {
    expect((await soc.decide(approval_id, { approved: true }, role)).statusCode).toBe(200);
  }
  const refused = await soc.execute(`cut-off?approval_id=${approval_id}`, {}, "admin");
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    { detail: `approval_id: you decided '${approval_id}', so another person must use it (four eyes)` },
  ]);
  expect((await soc.execute(`cut-off?approval_id=${approval_id}`, {}, "responder")).json().status).toBe("queued");
});

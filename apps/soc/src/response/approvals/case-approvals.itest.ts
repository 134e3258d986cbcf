import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SendRequest, startTwoSites, type TwoSites } from "../../../testing/harness/limited-callers.ts";

let world: TwoSites;
let analyst: SendRequest;
let manager: SendRequest;

beforeAll(async () => {
  world = await startTwoSites();
  analyst = await world.addLimited("tier2", undefined);
  manager = await world.addLimited("manager", undefined);
}, 120_000);
afterAll(() => world.close());

let number = 0;

async function openCase(): Promise<string> {
  number += 1;
  const opened = (await analyst("POST", "/cases", { title: `Case ${number}` })).json();
  return String(opened.id);
}

/** Requests an approval for the case without waiting for the answer, so that it stays pending. */
async function request(case_id: string): Promise<string> {
  number += 1;
  const action = `Isolate WS-${number}`;
  void analyst("POST", "/tools/request_human_approval", { action, justification: "beacon", case_id }).catch(
    () => undefined,
  );
  for (;;) {
    const [found] = await world.query("SELECT id FROM approvals WHERE action = $1", [action]);
    if (found) return found.id;
  }
}

const setStatus = (ask: SendRequest, case_id: string, status: string) => ask("PATCH", `/cases/${case_id}`, { status });
const decide = (id: string, approved: boolean) => manager("POST", `/approvals/${id}/decide`, { approved });
const read = async (case_id: string) => (await analyst("GET", `/cases/${case_id}`)).json();
const EXPIRED = "requested_at = now() - interval '2 s', expires_at = now() - interval '1 s'";
const end = (id: string, change: string) => world.query(`UPDATE approvals SET ${change} WHERE id = $1`, [id]);

async function waitingCase(): Promise<{ case_id: string; approval: string }> {
  const case_id = await openCase();
  await setStatus(analyst, case_id, "pending_approval");
  return { case_id, approval: await request(case_id) };
}

describe("decisions about the approval of a case", () => {
  it.each([
    [true, "approved", "investigating"],
    [false, "rejected", "open"],
  ])("moves a case that waits for the approval when approved is %s", async (approved, decision, status) => {
    const { case_id, approval } = await waitingCase();
    expect((await decide(approval, approved)).status).toBe(200);
    const found = await read(case_id);
    expect(found.status).toBe(status);
    const [entry] = found.timeline as { agent: string; action: string }[];
    expect(entry?.agent).toMatch(/^manager-/);
    expect(entry?.action).toContain(`approval ${approval} ${decision}: Isolate WS-`);
    expect(entry?.action).toContain(`status: pending_approval → ${status}`);
    const { items } = await world.asAdmin("GET", `/audit?subject_id=${case_id}&limit=200`);
    expect(items).toContainEqual(expect.objectContaining({ action: "case.updated", actor: entry?.agent }));
  });

  it("records the decision in the timeline of a case that does not wait without changing its status", async () => {
    const case_id = await openCase();
    await setStatus(analyst, case_id, "contained");
    const approval = await request(case_id);
    await decide(approval, true);
    const found = await read(case_id);
    expect(found.status).toBe("contained");
    expect(found.timeline).toContainEqual(
      expect.objectContaining({ action: expect.stringContaining(`approval ${approval} approved`) }),
    );
  });

  it("moves the case that the approval's case was merged into", async () => {
    const [case_id, into] = [await openCase(), await openCase()];
    const approval = await request(case_id);
    expect((await analyst("POST", `/cases/${into}/merge`, { from: [case_id] })).status).toBe(200);
    await setStatus(analyst, into, "pending_approval");
    expect((await setStatus(analyst, into, "open")).status).toBe(409);
    await decide(approval, true);
    expect(await read(into)).toMatchObject({ status: "investigating" });
    expect(await read(case_id)).toMatchObject({ status: "closed" });
  });

  it("records the decision after its case was deleted", async () => {
    const { case_id, approval } = await waitingCase();
    await world.asAdmin("DELETE", `/cases/${case_id}`);
    expect((await decide(approval, true)).status).toBe(200);
  });

  it("moves the case once when several people decide concurrently", async () => {
    const { case_id, approval } = await waitingCase();
    const answers = await Promise.all([true, false, true, false].map((approved) => decide(approval, approved)));
    const [winner] = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    const status = winner?.json().status === "approved" ? "investigating" : "open";
    const found = await read(case_id);
    expect(found.status).toBe(status);
    const moves = (found.timeline as { action: string }[]).filter(({ action }) => action.includes("→ "));
    expect(moves.filter(({ action }) => action.includes("pending_approval → "))).toHaveLength(1);
  });
});

describe("pending_approval for a holder of cases:write", () => {
  it("allows leaving pending_approval and clearing requires_human_approval without an open approval", async () => {
    const case_id = await openCase();
    const waiting = { status: "pending_approval", requires_human_approval: true };
    await analyst("PATCH", `/cases/${case_id}`, waiting);
    const left = await analyst("PATCH", `/cases/${case_id}`, {
      status: "investigating",
      requires_human_approval: false,
    });
    expect(left.json()).toMatchObject({ status: "investigating", requires_human_approval: false });
  });

  it.each([[{ status: "investigating" }], [{ requires_human_approval: false }]])(
    "refuses %j and names the open approval",
    async (patch) => {
      const { case_id, approval } = await waitingCase();
      await analyst("PATCH", `/cases/${case_id}`, { requires_human_approval: true });
      const refused = await analyst("PATCH", `/cases/${case_id}`, patch);
      const [field] = Object.keys(patch);
      const detail = `${field}: approval '${approval}' of the case is still open and must be decided first`;
      expect([refused.status, refused.json()]).toEqual([409, { detail }]);
      expect((await manager("PATCH", `/cases/${case_id}`, patch)).status).toBe(200);
    },
  );

  it.each([EXPIRED, "status = 'timeout'"])(
    "allows leaving pending_approval after the approval ended with %s",
    async (change) => {
      const { case_id, approval } = await waitingCase();
      await end(approval, change);
      expect((await setStatus(analyst, case_id, "investigating")).json()).toMatchObject({ status: "investigating" });
    },
  );

  it("refuses to leave pending_approval through the tool update_case and through a merge", async () => {
    const { case_id, approval } = await waitingCase();
    const into = await openCase();
    const tool = await analyst("POST", "/tools/update_case", { case_id, status: "open" });
    expect(tool.json()).toMatchObject({ status: "error", error: expect.stringContaining(approval) });
    const merged = await analyst("POST", `/cases/${into}/merge`, { from: [case_id] });
    expect(merged.status).toBe(409);
    expect(merged.json().detail).toContain(`from: approval '${approval}'`);
    await end(approval, EXPIRED);
    expect((await analyst("POST", `/cases/${into}/merge`, { from: [case_id] })).status).toBe(200);
  });

  it("refuses a caller of one site while the approval is visible only to callers of all sites", async () => {
    const limited = await world.addLimited("tier2", [world.alpha]);
    const opened = (await limited("POST", "/cases", { title: "Of Alpha" })).json();
    const case_id = String(opened.id);
    await setStatus(limited, case_id, "pending_approval");
    const approval = await request(case_id);
    const refused = await setStatus(limited, case_id, "open");
    expect([refused.status, refused.json().detail]).toEqual([409, expect.stringContaining(approval)]);
    await decide(approval, false);
    expect((await limited("GET", `/cases/${case_id}`)).json()).toMatchObject({ status: "open" });
  });
});

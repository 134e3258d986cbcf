import { silentLog } from "@kit/log/silent";
import { canonicalJson } from "@kit/query/canonical-json";
import { afterEach, describe, expect, it } from "vitest";
import { ALERT, approvalsApp, buildUse, closeApprovalsApps, EFFECT } from "../../../testing/fixtures/approvals-app.ts";
import type { Effect } from "../../foundation/actions/action.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import type { ApprovalUse } from "./approval-port.ts";
import { createApprovalActions } from "./approvals.actions.ts";
import { createApprovalsWorker } from "./approvals.worker.ts";

const OTHER_PLACE: Effect[] = EFFECT.map((effect) => ({
  ...effect,
  sends: effect.sends.map((sent) => ({ ...sent, url: "https://edr.example.net/isolate" })),
}));
const ROUNDS = process.env.PROVE === "full" ? 100 : 5;

afterEach(closeApprovalsApps);

describe("approvals", () => {
  it("shows reviewers the effect and its request, and expires after four hours", async () => {
    const { app, request } = await approvalsApp();
    const { id } = await request();
    const { items, total } = (await app.inject("/api/v1/approvals")).json();
    expect(total).toBe(1);
    const { requested_at, expires_at, ...rest } = items[0];
    expect(Date.parse(expires_at) - Date.parse(requested_at)).toBe(4 * 3_600_000);
    const bound = { alert_id: ALERT, case_id: null, effect: EFFECT, parameters: { host: "WS-0142" } };
    const undecided = { decided_by: null, decided_at: null, reason: null, execution_id: null };
    expect(rest).toEqual({
      id,
      kind: "playbook",
      status: "pending",
      playbook_id: "ransomware-host",
      playbook_version: 3,
      action: "Run playbook 'Ransomware host'",
      justification: "",
      ...{ ...bound, missing_inputs: [] },
      effect_hash: sha256Hex(
        canonicalJson({ ...bound, playbook_id: "ransomware-host", playbook_version: 3, requesters: ["tier3"] }),
      ),
      requested_by: "tier3",
      ...undecided,
    });
  });

  it("is decided once with the reason and emits events for the request and the decision", async () => {
    const { app, request, decide, db } = await approvalsApp();
    const { id } = await request();
    const decided = await decide(id, { approved: true, reason: "seen it" });
    expect(decided.statusCode).toBe(200);
    expect(decided.json()).toMatchObject({ id, status: "approved", decided_by: "manager", reason: "seen it" });
    expect(decided.json().decided_at).toMatch(/^20/);
    const again = await decide(id, { approved: false }, "admin");
    expect(again.statusCode).toBe(409);
    expect(again.json()).toEqual({ detail: `approval '${id}' was already decided by 'manager'` });
    expect((await app.inject("/api/v1/approvals")).json().total).toBe(0);
    expect((await app.inject("/api/v1/approvals?status=approved")).json()).toMatchObject({ items: [{ id }], total: 1 });
    const events = await db.selectFrom("outbox").select(["type", "subject_id", "data"]).orderBy("id").execute();
    expect(events).toMatchObject([
      { type: "approval.requested", subject_id: id, data: { requested_by: "tier3" } },
      { type: "approval.decided", subject_id: id, data: { status: "approved" } },
    ]);
  });

  it("accepts exactly one of twenty concurrent votes", async () => {
    const { request, decide, db } = await approvalsApp();
    const { id } = await request();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => decide(id, { approved: n % 2 === 0 }, n % 2 ? "admin" : "manager")),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19);
    expect(await db.selectFrom("approval_votes").selectAll().execute()).toHaveLength(1);
  });

  it("refuses a decision after the expiry, even before the worker has processed it", async () => {
    const { app, request, decide, age, see } = await approvalsApp();
    const { id } = await request();
    await age(id, 1.01);
    const refused = await decide(id, { approved: true });
    expect([refused.statusCode, refused.json()]).toEqual([409, { detail: `approval '${id}' has expired` }]);
    expect((await see(id)).json()).toMatchObject({ status: "timeout", decided_by: null, votes: [] });
    expect((await app.inject("/api/v1/approvals")).json().total).toBe(0);
    expect((await app.inject("/api/v1/approvals?status=timeout")).json().total).toBe(1);
  });

  it("refuses a decision with an invalid body", async () => {
    const { request, decide, see } = await approvalsApp();
    const { id } = await request();
    const refusals: [object, RegExp][] = [
      [{}, /^approved: is required$/],
      [{ approved: "yes" }, /^approved: /],
      [{ approved: true, reason: "x".repeat(5001) }, /^reason: /],
      [{ approved: true, reason: "\u0000" }, /^reason: contains a character that cannot be stored$/],
    ];
    for (const [payload, why] of refusals) {
      const refused = await decide(id, payload);
      expect(refused.statusCode).toBe(400);
      expect(refused.json().detail).toMatch(why);
    }
    expect((await see(id)).json().status).toBe("pending");
  });

  it("is visible only to its requester and to callers who may decide", async () => {
    const { app, request, see, decide } = await approvalsApp();
    const { id } = await request();
    expect((await see(id, "tier3")).json()).toMatchObject({ id, policy: { four_eyes: false, quorum: 1 }, votes: [] });
    expect((await see(id, "manager")).statusCode).toBe(200);
    expect((await see(id, "tier2")).statusCode).toBe(404);
    expect((await see("nope")).json()).toEqual({ detail: "approval 'nope' does not exist" });
    expect((await decide("nope", { approved: true })).statusCode).toBe(404);
    expect((await decide(id, { approved: true }, "tier3")).statusCode).toBe(403);
    const listed = await app.inject({ url: "/api/v1/approvals", headers: { "x-role": "tier3" } });
    expect(listed.statusCode).toBe(403);
    expect((await app.inject("/api/v1/approvals?status=maybe")).statusCode).toBe(400);
  });

  it("refuses an approval for a malformed alert or case id", async () => {
    const { request } = await approvalsApp();
    await expect(request({ alert_id: "nope" })).rejects.toThrow("alert 'nope' does not exist");
    await expect(request({ case_id: "nope" })).rejects.toThrow("case 'nope' does not exist");
  });

  it("returns the same approval to repeated requests for the same effect, even fifty concurrent ones", async () => {
    const { request, db, age } = await approvalsApp();
    const asked = await Promise.all(Array.from({ length: 50 }, () => request()));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    const [first] = asked;
    const others = await Promise.all([
      request({ requested_by: "responder" }),
      request({ parameters: { host: "WS-0143" } }),
      request({ playbook_version: 4 }),
      request({ alert_id: null }),
      request({ effect: [] }),
    ]);
    expect(new Set([first, ...others].map((approval) => approval?.id)).size).toBe(6);
    await age(first?.id ?? "", 1.01);
    expect((await request()).id).not.toBe(first?.id);
    const events = await db.selectFrom("outbox").select("type").execute();
    expect(events.filter(({ type }) => type === "approval.requested")).toHaveLength(7);
    expect(events.filter(({ type }) => type === "approval.expired")).toHaveLength(1);
  });
});

describe("using an approval", () => {
  it("returns pending until the decision, then starts one execution and returns it from then on", async () => {
    const { request, decide, use, ids, see, actions } = await approvalsApp();
    const { id } = await request();
    expect(await use(id)).toMatchObject({ outcome: "pending", approval: { id, status: "pending" } });
    await decide(id, { approved: true });
    const execution_id = ids.next();
    const body = { parameters: { host: "WS-0142" }, alert_id: ALERT };
    expect(await use(id, { execution_id, ...body })).toMatchObject({
      outcome: "used",
      approval: { parameters: { host: "WS-0142" }, alert_id: ALERT, execution_id },
    });
    expect(await use(id)).toEqual({ outcome: "before", execution_id });
    expect(await use(id, { playbook_version: 4 })).toEqual({ outcome: "before", execution_id });
    expect((await see(id)).json().execution_id).toBe(execution_id);
    expect(await actions()).toEqual(["approval.requested", "approval.decided", "approval.used"]);
  });

  it("refuses other callers and other effects without consuming the approval", async () => {
    const { request, decide, use, see } = await approvalsApp();
    const { id } = await request();
    await decide(id, { approved: true });
    const other = "0197f000-0000-7000-8000-000000000002";
    const refusals: [Partial<ApprovalUse>, RegExp][] = [
      [{ scope: ["office"] }, /is not an approval for this playbook$/],
      [{ playbook_id: "lost-device" }, /is not an approval for this playbook$/],
      [{ playbook_version: 4 }, /is for version 3 of the playbook, which has changed since$/],
      [{ parameters: { host: "DC-01" } }, /was granted for another body$/],
      [{ alert_id: other }, /was granted for another body$/],
      [{ case_id: other }, /was granted for another body$/],
      [{ effect: [] }, /was granted for another effect: the effect has changed since$/],
      [{ effect: OTHER_PLACE }, /was granted for another effect: the effect has changed since$/],
      [{ effect: undefined }, /could not be used; try again$/],
    ];
    for (const [changed, why] of refusals) {
      await expect(use(id, changed)).rejects.toMatchObject({ kind: "conflict", message: expect.stringMatching(why) });
    }
    expect((await see(id)).json().execution_id).toBeNull();
    expect(await use(id)).toMatchObject({ outcome: "used" });
  });

  it("refuses an approval that was rejected, has expired or does not exist", async () => {
    const { request, decide, use, age, deadlines, db } = await approvalsApp();
    const { id: rejected } = await request();
    await decide(rejected, { approved: false, reason: "no" });
    await expect(use(rejected)).rejects.toThrow(`approval_id: '${rejected}' was rejected`);
    const { id: late } = await request();
    await decide(late, { approved: true });
    await age(late, 1.01);
    await expect(use(late)).rejects.toThrow(`approval_id: '${late}' has expired`);
    const { id: forgotten } = await request();
    await age(forgotten, 1.01);
    await expect(use(forgotten)).rejects.toThrow("has expired");
    await db.transaction().execute((tx) => deadlines.expire(tx));
    await expect(use(forgotten)).rejects.toThrow("has expired");
    for (const unknown of ["nope", "0197f000-0000-7000-8000-00000000000f"]) {
      await expect(use(unknown)).rejects.toMatchObject({ kind: "conflict" });
    }
    const used = await db.selectFrom("approvals").select("id").where("execution_id", "is not", null).execute();
    expect(used).toEqual([]);
  });

  it("succeeds exactly once among fifty concurrent uses, in every round", {
    timeout: ROUNDS * 5000 + 25_000,
  }, async () => {
    const { request, decide, use, db } = await approvalsApp();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await request({ parameters: { host: `WS-${round}` } });
      await decide(id, { approved: true });
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => use(id)));
      const used = outcomes.filter(({ outcome }) => outcome === "used");
      const before = outcomes.filter((each) => each.outcome === "before");
      expect([used.length, before.length]).toEqual([1, 49]);
      const { execution_id } = await db
        .selectFrom("approvals")
        .select("execution_id")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      expect(new Set(before.map((each) => each.execution_id))).toEqual(new Set([execution_id]));
    }
    const uses = await db.selectFrom("audit_log").select("id").where("action", "=", "approval.used").execute();
    expect(uses).toHaveLength(ROUNDS);
  });

  it("does not consume the approval when storing the execution fails", async () => {
    const { request, decide, use, gate, db, ids } = await approvalsApp();
    const { id } = await request();
    await decide(id, { approved: true });
    const lost = db.transaction().execute(async (tx) => {
      await gate.use(tx, buildUse(id, ids.next()));
      throw new Error("the disk is full");
    });
    await expect(lost).rejects.toThrow("the disk is full");
    expect(await use(id)).toMatchObject({ outcome: "used" });
  });
});

describe("the approval policy", () => {
  it("bars the requester from approving and rejecting under four eyes", async () => {
    const { request, decide, use, see } = await approvalsApp("real", { fourEyes: true });
    const { id } = await request({ requested_by: "manager" });
    for (const approved of [true, false]) {
      const refused = await decide(id, { approved });
      expect(refused.statusCode).toBe(403);
      expect(refused.json().detail).toBe("approved: the requester must not decide (four eyes)");
    }
    expect((await see(id)).json()).toMatchObject({ status: "pending", votes: [], policy: { four_eyes: true } });
    expect(await use(id, { caller: "manager" })).toMatchObject({ outcome: "pending" });
    expect((await decide(id, { approved: true }, "admin")).json().status).toBe("approved");
  });

  it("comes from the playbook, which cannot disable the four eyes of the platform", async () => {
    const { request, decide } = await approvalsApp("real", { fourEyes: true });
    const { id } = await request({ requested_by: "manager", policy: { four_eyes: false } });
    expect((await decide(id, { approved: true })).statusCode).toBe(403);
    expect((await decide(id, { approved: true }, "admin")).statusCode).toBe(200);
  });

  it("bars everyone who counts as a requester and lists them", async () => {
    const { request, decide, see } = await approvalsApp("real", { fourEyes: true });
    const { id } = await request({ requesters: ["manager", "amina"] });
    const refused = await decide(id, { approved: false });
    expect([refused.statusCode, refused.json().detail]).toEqual([
      403,
      expect.stringMatching(/another person must decide/),
    ]);
    expect((await see(id)).json()).toMatchObject({ status: "pending", requesters: ["amina", "manager", "tier3"] });
    expect((await decide(id, { approved: true }, "admin")).statusCode).toBe(200);
  });

  it("counts different people towards a quorum, while one rejection ends the approval", async () => {
    const { request, decide, use, see, actions } = await approvalsApp();
    const { id } = await request({ policy: { quorum: 2 } });
    expect((await decide(id, { approved: true, reason: "one" })).json()).toMatchObject({ status: "pending" });
    const twice = await decide(id, { approved: true });
    expect(twice.statusCode).toBe(409);
    expect(await use(id)).toMatchObject({ outcome: "pending" });
    expect((await decide(id, { approved: true }, "admin")).json()).toMatchObject({ status: "approved" });
    expect((await see(id)).json()).toMatchObject({
      policy: { quorum: 2 },
      votes: [
        { decided_by: "manager", approved: true, reason: "one" },
        { decided_by: "admin", approved: true, reason: null },
      ],
    });
    expect(await actions()).toEqual(["approval.requested", "approval.voted", "approval.decided"]);
    const other = await request({ policy: { quorum: 2 }, parameters: {} });
    await decide(other.id, { approved: true });
    expect((await decide(other.id, { approved: false }, "admin")).json()).toMatchObject({ status: "rejected" });
  });

  it("reaches a quorum of two once when two people approve concurrently", async () => {
    const { request, decide, db } = await approvalsApp();
    for (let round = 0; round < 5; round += 1) {
      const { id } = await request({ policy: { quorum: 2 }, parameters: { round } });
      await Promise.all([decide(id, { approved: true }), decide(id, { approved: true }, "admin")]);
      const { status } = await db
        .selectFrom("approvals")
        .select("status")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      expect(status).toBe("approved");
    }
  });
});

describe("steps that wait for an approval", () => {
  async function park(platform: Awaited<ReturnType<typeof approvalsApp>>, params: object, key = "1") {
    const [action] = createApprovalActions(platform.gate);
    if (action?.kind !== "wait") throw new Error("the action is missing");
    const context = {
      execution_id: "0197f000-0000-7000-8000-0000000000e1",
      playbook_id: "ransomware-host",
      step_id: "ask",
      scope: ALL_SITES,
      actor: "tier3",
      requesters: ["tier3"],
      starters: ["tier3"],
      alert_id: ALERT,
      case_id: null,
      idempotencyKey: `0197f000-0000-7000-8000-0000000000e1:ask:${key}`,
      signal: new AbortController().signal,
    };
    expect((await action.describe(params, context)).sends).toEqual([]);
    return platform.db.transaction().execute((tx) => action.park(tx, params, context));
  }

  it("resumes the execution in the transaction of the decision or when the approval expires", async () => {
    const platform = await approvalsApp();
    const { decide, see, resumed, age, deadlines, db } = platform;
    const first = await park(platform, { action: "wipe WS-0142", ttl_hours: 0.5, four_eyes: true });
    const shown = (await see(first.approval_id ?? "")).json();
    expect(shown).toMatchObject({ kind: "step", action: "wipe WS-0142", policy: { four_eyes: true }, alert_id: ALERT });
    expect(Date.parse(shown.expires_at) - Date.parse(shown.requested_at)).toBe(1_800_000);
    expect(first.until.toISOString()).toBe(shown.expires_at);
    await decide(first.approval_id ?? "", { approved: false });
    const second = await park(platform, { action: "wipe WS-0142" }, "2");
    await decide(second.approval_id ?? "", { approved: true });
    const third = await park(platform, { action: "wipe WS-0142" }, "3");
    await age(third.approval_id ?? "", 1.01);
    expect(await db.transaction().execute((tx) => deadlines.expire(tx))).toEqual({ count: 1, isFull: false });
    expect(await db.transaction().execute((tx) => deadlines.expire(tx))).toEqual({ count: 0, isFull: false });
    const execution = "0197f000-0000-7000-8000-0000000000e1";
    expect(resumed).toEqual([
      [execution, "rejected"],
      [execution, "approved"],
      [execution, "timeout"],
    ]);
  });

  it("refuses a step approval for the start of a playbook", async () => {
    const platform = await approvalsApp();
    const { approval_id = "" } = await park(platform, { action: "go on" });
    await platform.decide(approval_id, { approved: true });
    await expect(platform.use(approval_id)).rejects.toThrow("is not an approval for this playbook");
  });
});

describe("approval reminders", () => {
  it("sends one reminder at a quarter and one escalation at three quarters of the lifetime", async () => {
    const { request, age, deadlines, db } = await approvalsApp();
    const { id } = await request();
    const remind = () => db.transaction().execute((tx) => deadlines.remind(tx));
    const listReminders = async () =>
      (await db.selectFrom("outbox").select(["type", "data"]).orderBy("id").execute())
        .filter(({ type }) => type !== "approval.requested")
        .map(({ type, data }) => [type, "stage" in data && data.stage]);
    await age(id, 0.24);
    expect(await remind()).toEqual({ count: 0, isFull: false });
    await age(id, 0.26);
    await Promise.all(Array.from({ length: 8 }, remind));
    await remind();
    expect(await listReminders()).toEqual([["approval.reminded", "first"]]);
    await age(id, 0.76);
    await Promise.all(Array.from({ length: 8 }, remind));
    expect(await listReminders()).toEqual([
      ["approval.reminded", "first"],
      ["approval.escalated", "escalation"],
      ["approval.reminded", "second"],
    ]);
  });

  it("sends no reminder for decided or expired approvals", async () => {
    const { request, age, deadlines, db, decide } = await approvalsApp();
    const { id } = await request();
    await decide(id, { approved: false });
    await age(id, 0.8);
    const { id: over } = await request();
    await age(over, 1.01);
    expect(await db.transaction().execute((tx) => deadlines.remind(tx))).toEqual({ count: 0, isFull: false });
  });

  it("sends reminders once with two workers, and none in a mode without writes", async () => {
    const { request, age, deadlines, db, clock, see } = await approvalsApp();
    const { id } = await request();
    await age(id, 0.5);
    const { id: over } = await request({ parameters: {} });
    await age(over, 1.01);
    let isAllowed = false;
    const workers = [1, 2].map(() =>
      createApprovalsWorker({ db, deadlines, isAllowed: async () => isAllowed, clock, log: silentLog }),
    );
    for (const worker of workers) worker.start();
    await clock.sleep(100);
    expect(await db.selectFrom("approval_reminders").selectAll().execute()).toEqual([]);
    for (const worker of workers) await worker.close();
    isAllowed = true;
    const others = [1, 2].map(() =>
      createApprovalsWorker({ db, deadlines, isAllowed: async () => isAllowed, clock, log: silentLog }),
    );
    for (const worker of others) worker.start();
    const types = async () => (await db.selectFrom("outbox").select("type").execute()).map(({ type }) => type);
    await expect.poll(types).toContain("approval.reminded");
    await expect.poll(async () => (await see(over)).json().status).toBe("timeout");
    for (const worker of others) await worker.close();
    expect((await types()).filter((type) => type === "approval.reminded")).toHaveLength(1);
    expect((await types()).filter((type) => type === "approval.expired")).toHaveLength(1);
  });
});

describe("approvals by mode", () => {
  it("previews a decision in dry_run and stores nothing", async () => {
    const { request, decide, see, resumed } = await approvalsApp("dry_run");
    const { id } = await request();
    const shown = await decide(id, { approved: true });
    expect(shown.json()).toMatchObject({ dry_run: true, preview: { id, status: "approved" } });
    expect((await see(id)).json()).toMatchObject({ status: "pending", votes: [] });
    expect(resumed).toEqual([]);
  });

  it("serves the showcase in dummy mode without a database, and blocks decisions", async () => {
    const { app, decide, see } = await approvalsApp("dummy", { database: "none" });
    const { items } = (await app.inject("/api/v1/approvals")).json();
    const pending = { kind: "playbook", status: "pending", requested_by: "daniel.okafor" };
    expect(items).toMatchObject([pending, pending]);
    expect((await see(items[0].id)).json()).toMatchObject({ id: items[0].id, votes: [] });
    const history = (await app.inject("/api/v1/approvals?status=approved")).json();
    expect(history.items).toMatchObject([{ decided_by: "hassan.ali" }]);
    expect((await decide(items[0].id, { approved: true })).json()).toEqual({
      detail: "Runtime mode 'dummy' blocks this change",
    });
  });

  it.each(["dry_run", "real"] as const)("answers 503 in %s mode without a database", async (mode) => {
    const { app, decide } = await approvalsApp(mode, { database: "none" });
    expect((await app.inject("/api/v1/approvals")).statusCode).toBe(503);
    expect((await decide("x", { approved: true })).statusCode).toBe(503);
  });
});

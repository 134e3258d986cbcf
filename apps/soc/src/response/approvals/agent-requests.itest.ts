import { afterEach, describe, expect, it } from "vitest";
import { approvalsApp, closeApprovalsApps } from "../../../testing/fixtures/approvals-app.ts";
import type { Tx } from "../../foundation/database/tables.ts";

afterEach(closeApprovalsApps);

describe("agent requests for approval", () => {
  const asked = {
    action: "Block 203.0.113.24",
    justification: "seen in 3 alerts",
    case_id: null,
    requested_by: "agent",
  };

  it("returns the decision to a repeated request, even if it was made after the agent stopped waiting", async () => {
    const { gate, db, decide, app } = await approvalsApp();
    const ask = (changed = {}) => db.transaction().execute((tx) => gate.requestFor(tx, { ...asked, ...changed }));
    const { id } = await ask({ ttl_hours: 1 });
    expect((await ask()).id).toBe(id);
    expect((await db.transaction().execute((tx) => gate.endWait(tx, id))).status).toBe("timeout");
    expect((await decide(id, { approved: true })).json()).toMatchObject({ status: "approved", decided_by: "manager" });
    expect(await ask()).toMatchObject({ id, status: "approved", decided_by: "manager" });
    expect((await db.transaction().execute((tx) => gate.endWait(tx, id))).status).toBe("approved");
    expect((await ask({ justification: "other" })).id).not.toBe(id);
    expect((await app.inject("/api/v1/approvals")).json().total).toBe(1);
  });

  it("keeps the request in the list and sends reminders after the agent stopped waiting", async () => {
    const { gate, db, app, age, deadlines } = await approvalsApp();
    const transact = <Result>(work: (tx: Tx) => Promise<Result>) => db.transaction().execute(work);
    const { id } = await transact((tx) => gate.requestFor(tx, asked));
    await transact((tx) => gate.endWait(tx, id));
    expect((await app.inject("/api/v1/approvals")).json().items).toMatchObject([{ id, status: "timeout" }]);
    expect((await app.inject("/api/v1/approvals?status=pending")).json().items).toEqual([]);
    await age(id, 0.5);
    expect(await transact((tx) => deadlines.remind(tx))).toMatchObject({ count: 1 });
    await age(id, 1.01);
    expect((await app.inject("/api/v1/approvals")).json().items).toEqual([]);
  });

  it("records the end of the wait and the expiry once each", async () => {
    const { gate, db, age, deadlines, actions } = await approvalsApp();
    const transact = <Result>(work: (tx: Tx) => Promise<Result>) => db.transaction().execute(work);
    const { id } = await transact((tx) => gate.requestFor(tx, asked));
    await transact((tx) => gate.endWait(tx, id));
    await transact((tx) => deadlines.expire(tx));
    expect(await actions()).toEqual(["approval.requested", "approval.wait_ended"]);
    await age(id, 1.01);
    await Promise.all([1, 2].map(() => transact((tx) => deadlines.expire(tx))));
    await transact((tx) => deadlines.expire(tx));
    expect(await actions()).toEqual(["approval.requested", "approval.wait_ended", "approval.expired"]);
  });

  it("records no expiry of a request that was decided after the agent stopped waiting", async () => {
    const { gate, db, age, decide, deadlines } = await approvalsApp();
    const { id } = await db.transaction().execute((tx) => gate.requestFor(tx, asked));
    await db.transaction().execute((tx) => gate.endWait(tx, id));
    await decide(id, { approved: false });
    await age(id, 1.01);
    expect(await db.transaction().execute((tx) => deadlines.expire(tx))).toMatchObject({ count: 0 });
  });

  it("makes a repeated request pending again until its expiry", async () => {
    const { gate, db, decide, age } = await approvalsApp();
    const ask = () => db.transaction().execute((tx) => gate.requestFor(tx, asked));
    const { id } = await ask();
    await db.transaction().execute((tx) => gate.endWait(tx, id));
    expect(await ask()).toMatchObject({ id, status: "pending" });
    await db.transaction().execute((tx) => gate.endWait(tx, id));
    await age(id, 1.01);
    expect((await decide(id, { approved: true })).statusCode).toBe(409);
    expect((await ask()).id).not.toBe(id);
  });

  it("refuses an invalid request and names the field", async () => {
    const { gate, db } = await approvalsApp();
    const refusals: [object, RegExp][] = [
      [{ ttl_hours: 0 }, /^ttl_hours: /],
      [{ ttl_hours: 169 }, /^ttl_hours: must be more than 0 and at most 168$/],
      [{ ttl_hours: Number.NaN }, /^ttl_hours: /],
      [{ action: "" }, /^action: /],
      [{ justification: "x".repeat(5001) }, /^justification: /],
      [{ case_id: "nope" }, /^case 'nope' does not exist$/],
    ];
    for (const [changed, why] of refusals) {
      const refused = db.transaction().execute((tx) => gate.requestFor(tx, { ...asked, ...changed }));
      await expect(refused).rejects.toThrow(why);
    }
  });
});

import { type Clock, createClock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { noExecutions } from "../../../testing/fixtures/no-executions.ts";
import { NO_LEDGER } from "../../../testing/fixtures/no-ledger.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { createCases } from "../../cases/cases/cases.feature.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import { createApprovalGate } from "../../response/approvals/approvals.feature.ts";
import { createApprovalsService } from "../../response/approvals/approvals.service.ts";
import { createApprovalsStore, createShowcaseApprovalsStore } from "../../response/approvals/approvals.store.ts";
import { createApprovalTool } from "./approval-tool.ts";
import { createToolsService, type ToolsService } from "./tools.service.ts";

const AGENT: Caller = { kind: "user", username: "bot", role: "agent" };
const MANAGER: Caller = { kind: "user", username: "mona", role: "manager" };
const REQUEST = { action: "Isolate WS-7", justification: "It calls a known command server" };
const DECIDED = { error_code: null, error: null };

let platform: TestPlatform;
let tools: ToolsService;
let approvals: ReturnType<typeof createApprovalsService>;
let closing: AbortController;
/** Records the waits and acts during each; time passes only here. */
let waits: number[];
let onWait: (count: number) => Promise<unknown>;

beforeEach(async () => {
  platform = await testPlatform("real");
  await start(platform, false);
});
afterEach(() => platform.close());

async function start(base: TestPlatform, fourEyes: boolean) {
  const { db, runtime, changes, audit, log } = base;
  closing = new AbortController();
  waits = [];
  onWait = async () => undefined;
  const real = createClock();
  const clock: Clock = {
    ...real,
    async sleep(ms, signal) {
      waits.push(ms);
      await onWait(waits.length);
      if (signal?.aborted) await real.sleep(ms, signal);
    },
  };
  const {
    services: { gate },
  } = createApprovalGate(base, { fourEyes });
  const stores = { database: createApprovalsStore(db), showcase: createShowcaseApprovalsStore([]) };
  approvals = createApprovalsService({ runtime, stores, executions: noExecutions, audit });
  const {
    services: { cases },
  } = createCases(base, { alerts: createAlertChanges(base), ledger: NO_LEDGER });
  const agents = { list: async () => ({ items: [], total: 0, skip: 0, limit: 50, next_cursor: null }) };
  const tool = createApprovalTool({ gate, approvals, cases, clock, closing: closing.signal });
  tools = createToolsService({ tools: new Map([[tool.name, tool]]), runtime, changes, agents, clock, log });
}

const ask = (input: object = REQUEST, caller = AGENT, options = {}) =>
  tools.call(caller, "request_human_approval", input, options);
const pendingId = async () =>
  (await platform.db.selectFrom("approvals").select("id").where("status", "=", "pending").executeTakeFirstOrThrow()).id;
const decide = (id: string, approved: boolean, by = MANAGER) =>
  platform.db.transaction().execute((tx) => approvals.decide(tx, by, id, { approved }));
const readStatus = async (id: unknown) =>
  (await platform.db.selectFrom("approvals").select("status").where("id", "=", String(id)).executeTakeFirst())?.status;

it.each([
  [true, "approved"],
  [false, "rejected"],
])("returns the decision of a person: approved %s is %s", async (approved, status) => {
  onWait = async (count) => count === 3 && decide(await pendingId(), approved);
  expect(await ask()).toEqual({ approval_id: expect.any(String), status, decided_by: "mona", ...DECIDED });
  expect(waits).toEqual([30_000, 30_000, 30_000]);
});

it("polls ten times every 30 seconds and then reports a timeout with a message", async () => {
  const answer = await ask();
  expect(answer).toEqual({
    approval_id: expect.any(String),
    status: "timeout",
    decided_by: null,
    message: expect.stringMatching(/repeat the same request/),
    ...DECIDED,
  });
  expect(waits).toEqual(Array(10).fill(30_000));
  expect(await readStatus(Reflect.get(answer, "approval_id"))).toBe("timeout");
});

it("returns a decision made after the last poll", async () => {
  const get = approvals.get.bind(approvals);
  approvals.get = async (caller, id) => {
    const read = await get(caller, id);
    if (waits.length === 10) await decide(id, true);
    return read;
  };
  expect(await ask()).toMatchObject({ status: "approved", decided_by: "mona" });
});

it("returns a decision made after the timeout when the same request is repeated", async () => {
  const { approval_id } = (await ask()) as unknown as { approval_id: string };
  await decide(approval_id, true);
  waits.length = 0;
  expect(await ask()).toEqual({ approval_id, status: "approved", decided_by: "mona", ...DECIDED });
  expect(waits).toEqual([]);
  expect(await ask({ ...REQUEST, action: "Isolate WS-8" })).toMatchObject({ status: "timeout" });
});

it("waits again for the same approval when a request is repeated after a timeout without a decision", async () => {
  const { approval_id } = (await ask()) as unknown as { approval_id: string };
  waits.length = 0;
  onWait = async (count) => count === 1 && decide(approval_id, false);
  expect(await ask()).toMatchObject({ approval_id, status: "rejected" });
});

it.each([
  ["4 hours by default", {}, 4],
  ["the hours that the request names", { ttl_hours: 0.5 }, 0.5],
])("keeps an approval open %s", async (_what, given, hours) => {
  const { approval_id } = (await ask({ ...REQUEST, ...given })) as unknown as { approval_id: string };
  const { rows } = await sql<{ hours: number }>`
    SELECT extract(epoch FROM expires_at - requested_at)::float8 / 3600 AS hours FROM approvals
    WHERE id = ${approval_id}`.execute(platform.db);
  expect(rows[0]?.hours).toBe(hours);
});

it("continues polling when the database fails for one poll", async () => {
  const get = approvals.get.bind(approvals);
  approvals.get = async (caller, id) => {
    if (waits.length < 3) throw new Problem("unavailable", "the database is unavailable");
    return get(caller, id);
  };
  onWait = async (count) => count === 2 && decide(await pendingId(), true);
  expect(await ask()).toMatchObject({ status: "approved" });
  expect(waits).toHaveLength(3);
});

it.each([
  [{ justification: "because" }, "action: is required"],
  [{ action: "Isolate WS-7" }, "justification: is required"],
  [{ ...REQUEST, ttl_hours: 0 }, "ttl_hours: must be a number of at most 168"],
  [{ ...REQUEST, ttl_hours: 169 }, "ttl_hours: must be a number of at most 168"],
])("refuses %j", async (input, error) => {
  expect(await ask(input)).toEqual({ status: "error", error_code: "invalid_input", error });
});

it("refuses a case that does not exist and asks nobody", async () => {
  const case_id = "0197f000-0000-7000-8000-00000000dead";
  expect(await ask({ ...REQUEST, case_id })).toMatchObject({ error_code: "not_found" });
  expect(await platform.db.selectFrom("approvals").selectAll().execute()).toEqual([]);
});

it("keeps the approval open when the budget of the call ends first", async () => {
  const leaving = new AbortController();
  onWait = async () => leaving.abort();
  expect(await ask(REQUEST, AGENT, { signal: leaving.signal })).toMatchObject({ error_code: "unavailable" });
  expect(await readStatus(await pendingId())).toBe("pending");
});

it("ends the waits when the service stops", async () => {
  onWait = async () => closing.abort(new Problem("unavailable", "the service is stopping"));
  expect(await ask()).toMatchObject({ error_code: "unavailable", error: "the service is stopping" });
});

it("limits the concurrent waiting calls of a caller", async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  onWait = () => gate;
  const waiting = Array.from({ length: 10 }, (_, at) => ask({ ...REQUEST, action: `Isolate WS-${at}` }));
  await expect.poll(() => waits.length).toBe(10);
  expect(await ask({ ...REQUEST, action: "one more" })).toMatchObject({ error_code: "unavailable" });
  release();
  await Promise.all(waiting);
});

it("never lets the requester decide under four eyes", async () => {
  await start(platform, true);
  const owner: Caller = { kind: "user", username: "mona", role: "manager" };
  onWait = async (count) => {
    if (count === 1) await expect(decide(await pendingId(), true)).rejects.toThrow(/four eyes/);
  };
  expect(await ask(REQUEST, owner)).toMatchObject({ status: "timeout" });
});

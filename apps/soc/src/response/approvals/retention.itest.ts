import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { noExecutions } from "../../../testing/fixtures/no-executions.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { createGate } from "./approval-gate.ts";
import { createApprovalsService } from "./approvals.service.ts";
import { createApprovalsStore, createShowcaseApprovalsStore } from "./approvals.store.ts";
import { createDeadlinesService, type DeadlinesService } from "./deadlines.service.ts";

const MANAGER = { kind: "user", username: "manager", role: "manager" } as const;

let platform: TestPlatform;
let deadlines: DeadlinesService;
let ask: (host: string) => Promise<string>;
let decide: (id: string, approved: boolean) => Promise<unknown>;

beforeEach(async () => {
  platform = await testPlatform("real");
  const { db, runtime, ids } = platform;
  const audit = createAuditStore(ids);
  const executions = noExecutions;
  const stores = { database: createApprovalsStore(db), showcase: createShowcaseApprovalsStore([]) };
  const approvals = createApprovalsService({ runtime, stores, executions, audit });
  const gate = createGate({ db, audit, ids, fourEyes: false });
  deadlines = createDeadlinesService({ executions, audit });
  ask = async (host) => {
    const about = { playbook_id: "ransomware-host", playbook_version: 1, alert_id: null, case_id: null, site: null };
    const words = { kind: "playbook", action: "Run it", justification: "", requested_by: "tier3" } as const;
    const asked = { ...about, ...words, requesters: [], parameters: { host }, effect: [] };
    return (await db.transaction().execute((tx) => gate.request(tx, asked))).id;
  };
  decide = (id, approved) => db.transaction().execute((tx) => approvals.decide(tx, MANAGER, id, { approved }));
});
afterEach(() => platform.close());

/** Moves the expiry of an approval this many hours into the past. */
async function end(id: string, hoursAgo: number): Promise<void> {
  await sql`UPDATE approvals SET requested_at = now() - ${hoursAgo + 4}::float8 * interval '1 hour',
    expires_at = now() - ${hoursAgo}::float8 * interval '1 hour' WHERE id = ${id}`.execute(platform.db);
}

const kept = async () =>
  (await platform.db.selectFrom("approvals").select("id").orderBy("id").execute()).map(({ id }) => id);
const forget = (keep: number) => platform.db.transaction().execute((tx) => deadlines.forget(tx, keep));

it("keeps the newest finished approvals with their votes", async () => {
  const ids: string[] = [];
  for (const host of ["WS-1", "WS-2", "WS-3", "WS-4"]) ids.push(await ask(host));
  const [rejected = "", approved = "", used = "", unassigned = ""] = ids;
  await decide(rejected, false);
  await decide(approved, true);
  await decide(used, true);
  await sql`UPDATE approvals SET execution_id = ${platform.ids.next()} WHERE id = ${used}`.execute(platform.db);
  for (const [at, id] of ids.entries()) await end(id, 40 - at);
  await platform.db.transaction().execute((tx) => deadlines.expire(tx));
  expect(await forget(4)).toEqual({ count: 0, isFull: false });
  expect(await forget(2)).toEqual({ count: 2, isFull: false });
  expect(await kept()).toEqual([used, unassigned].sort());
  const votes = await platform.db.selectFrom("approval_votes").select("approval_id").execute();
  expect(votes).toEqual([{ approval_id: used }]);
  await forget(0);
  expect(await kept()).toEqual([]);
});

it("never deletes an approval that is pending, usable or reusable before its expiry", async () => {
  const pending = await ask("WS-1");
  const approved = await ask("WS-2");
  await decide(approved, true);
  const rejected = await ask("WS-3");
  await decide(rejected, false);
  // The worker has not processed this expiry, so an execution may still wait for the outcome.
  const unswept = await ask("WS-4");
  await end(unswept, 1);
  await forget(0);
  expect(await kept()).toEqual([pending, approved, rejected, unswept].sort());
});

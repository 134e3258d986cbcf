import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../testing/feature-app.ts";
import { createMemoryAdapter, type MemoryAdapter } from "../../testing/response-actions.ts";
import { Crash, driveToEnd } from "../../testing/response-drive.ts";
import { createMemoryGate, type MemoryGate } from "../../testing/response-gate.ts";
import { createResponseParts, type ResponseParts } from "../../testing/response-parts.ts";
import type { Playbook } from "./playbook.ts";

const PARAMETERS = {
  sender: "it@phish.example",
  url: "https://phish.example/a",
  address: "198.51.100.77",
  device_id: "gw-7",
  hash: "ab12",
  owner: "layla.haddad",
};
// All places with PROVE=full; otherwise every fourth, beginning elsewhere in each playbook.
const STRIDE = process.env.PROVE === "full" ? 1 : 4;
const ANALYST = { username: "amina.farouk" };

let platform: TestPlatform;
let adapter: MemoryAdapter;
let gate: MemoryGate;
let parts: ResponseParts;
let playbooks: Playbook[];
let made = 0;

beforeAll(async () => {
  platform = await testPlatform("real");
  adapter = createMemoryAdapter();
  gate = createMemoryGate(() => platform.ids.next());
  parts = createResponseParts(platform, adapter, gate);
  const builtIns = await parts.builtIns();
  await platform.db.transaction().execute((tx) => parts.playbooks.seed(tx, builtIns));
  playbooks = (await parts.playbooks.list({})).items;
});

afterAll(() => platform.close());

/** An execution about an alert of its own, with everything that any playbook asks for. */
async function begin(playbook: Playbook): Promise<string> {
  made += 1;
  const alert_id = await platform.db.transaction().execute(async (tx) => {
    const report = {
      title: `finding ${made}`,
      source: "sensor",
      host: `WS-${made}`,
      user: `user${made}`,
      site: "office",
    };
    const { alert } = await parts.alerts.create(tx, { kind: "user", username: "sensor", role: "agent" }, report);
    return alert.id;
  });
  const call = { playbookId: playbook.id, body: { alert_id, parameters: PARAMETERS } };
  const execute = async (approvalId?: string) => {
    const plan = await parts.executions.plan(ANALYST, { ...call, ...(approvalId && { approvalId }) });
    return (await platform.db.transaction().execute((tx) => parts.executions.execute(tx, plan))).answer;
  };
  const answer = await execute();
  if ("execution_id" in answer) return answer.execution_id;
  gate.approve(answer.approval_id ?? "");
  const begun = await execute(answer.approval_id ?? "");
  if (!("execution_id" in begun)) throw new Error("it was approved, and did not begin");
  return begun.execution_id;
}

/** What an execution left behind, by kind. */
async function effectsOf(execution_id: string) {
  const { alert_id, status } = await parts.executions.get(execution_id);
  const { db } = platform;
  const cases = await db
    .selectFrom("audit_log")
    .select("subject_id")
    .where("action", "=", "case.created")
    .where("details", "@>", JSON.stringify({ alert_ids: [alert_id] }) as unknown as object)
    .execute();
  const ids = cases.map(({ subject_id }) => subject_id);
  const ofCases = async (table: "case_comments" | "case_tasks") =>
    ids.length === 0 ? 0 : (await db.selectFrom(table).select("id").where("case_id", "in", ids).execute()).length;
  const keys = [...adapter.calls].filter(([key]) => key.startsWith(execution_id));
  return {
    status,
    cases: ids.length,
    comments: await ofCases("case_comments"),
    tasks: await ofCases("case_tasks"),
    keys: keys.map(([key]) => key.slice(execution_id.length)).toSorted(),
    calls: keys.map(([, count]) => count),
  };
}

describe("the ten playbooks", () => {
  it("run end to end, and do what they say", async () => {
    const ended: Record<string, object> = {};
    for (const playbook of playbooks) {
      const execution_id = await begin(playbook);
      await driveToEnd(platform, parts);
      const { steps, steps_total, ...execution } = await parts.executions.get(execution_id);
      expect(steps).toHaveLength(steps_total);
      expect(steps.filter(({ error }) => error !== null)).toEqual([]);
      const { status, cases, comments, tasks, keys } = await effectsOf(execution_id);
      ended[playbook.id] = {
        status,
        cases,
        comments,
        tasks,
        outside: keys.length,
        completed: execution.steps_completed,
      };
    }
    // By hand, from the playbooks: searches find three logs, and nothing fails.
    expect(ended).toEqual({
      "brute-force": { status: "completed", cases: 1, comments: 0, tasks: 1, outside: 0, completed: 6 },
      "data-theft": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 2, completed: 6 },
      "firmware-mismatch": { status: "completed", cases: 1, comments: 0, tasks: 2, outside: 1, completed: 6 },
      "leaked-credential": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 1, completed: 6 },
      "lost-device": { status: "completed", cases: 1, comments: 0, tasks: 2, outside: 1, completed: 7 },
      "malicious-address": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 1, completed: 6 },
      phishing: { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 2, completed: 8 },
      "ransomware-host": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 3, completed: 8 },
      "rogue-device": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 2, completed: 6 },
      "suspicious-admin": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 1, completed: 6 },
    });
  });
});

describe("a process that ends", () => {
  it("at any place of any playbook leaves each finished step done once, and each key once", async () => {
    let crashes = 0;
    for (const [index, playbook] of playbooks.entries()) {
      const undisturbed = await begin(playbook);
      let places = 0;
      await driveToEnd(platform, parts, {
        passing: async () => {
          places += 1;
        },
      });
      const { calls: _, ...expected } = await effectsOf(undisturbed);
      for (let fatal = 1 + (index % STRIDE); fatal <= places; fatal += STRIDE) {
        const execution_id = await begin(playbook);
        let passed = 0;
        let crashedAt = "";
        const doneBefore = new Set<string>();
        await driveToEnd(platform, parts, {
          async passing(place, step_id) {
            passed += 1;
            if (passed !== fatal) return;
            crashedAt = `${place} ${step_id}`;
            const rows = await platform.db
              .selectFrom("execution_steps")
              .select("key")
              .where("execution_id", "=", execution_id)
              .where("status", "=", "completed")
              .execute();
            for (const { key } of rows) doneBefore.add(key);
            throw new Crash("killed");
          },
        });
        const { calls, ...effects } = await effectsOf(execution_id);
        const where = `${playbook.id} at ${crashedAt}`;
        expect(crashedAt, where).not.toBe("");
        expect(effects, where).toEqual(expected);
        expect(Math.max(0, ...calls), where).toBeLessThanOrEqual(2);
        for (const key of doneBefore) expect(adapter.calls.get(key) ?? 1, where).toBe(1);
        crashes += 1;
      }
    }
    // Each of the 63 steps has at least the place before it and one inside it.
    expect(crashes).toBeGreaterThan(126 / STRIDE);
  }, 120_000);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentId } from "../../src/assistants/agents/agent-names.ts";
import type { Model } from "../../src/assistants/models/model.ts";
import type { AgentPlan, JudgedSubject, MadeCall, PlannedCall } from "../../src/assistants/plans/step.ts";
import type { Plans } from "../../src/assistants/runs/run-investigation.ts";
import { createRuns } from "../../src/assistants/runs/runs.feature.ts";
import { absentLogStore } from "../servers/absent-log-store.ts";
import { createMemoryReader } from "../situations/memory-reader.ts";
import { SAMPLE_WORLD } from "../situations/sample-intrusion.ts";
import { realPlatform } from "./whole-platform.ts";

export const ANALYST = { kind: "user", username: "amina", role: "tier3" } as const;

function plan<About extends JudgedSubject>(agent: AgentId, calls: (subject: About) => PlannedCall[]): AgentPlan<About>;
function plan(agent: AgentId, calls: (subject: never) => PlannedCall[]): unknown {
  return {
    agent,
    isTriggered: () => true,
    calls,
    conclude: ({ events }: JudgedSubject, made: readonly MadeCall[]) =>
      events.slice(0, 1).map(({ id }) => ({
        ...{ statement: `${agent} made ${made.length} calls.`, evidence_ids: [id] },
        claims: [],
      })),
  };
}

/** Two agents that read, one whose tool does not exist, and a triage that opens a case and comments on it. */
export const TEST_PLANS: Plans = {
  evidence: [
    plan("agent-002", ({ alert }) => [{ tool: "get_alert", input: { alert_id: alert.id } }]),
    plan("agent-004", () => [
      { tool: "lookup_ioc", input: { value: "203.0.113.9" } },
      { tool: "lookup_ioc", input: { value: "198.51.100.7" } },
    ]),
    plan("agent-009", () => [{ tool: "no_such_tool", input: {} }]),
  ] as Plans["evidence"],
  judged: [
    plan("agent-001", ({ alert }) => [
      { tool: "create_case", input: { title: `Case of ${alert.title}`, alert_ids: [alert.id] } },
    ]),
    plan("agent-015", ({ case_id }) => [{ tool: "update_case", input: { case_id, notes: "Reported." } }]),
  ],
};

/** Investigations on a whole platform in real mode, with test plans and logs in memory. */
export async function createRunsWorld(databaseUrl: string, plans: Plans = TEST_PLANS, model?: Model) {
  const folder = await mkdtemp(join(tmpdir(), "soc-"));
  const logStore = absentLogStore();
  const { base, database, platform } = await realPlatform(databaseUrl, folder, logStore);
  const { services } = platform;
  const needs = { ...services, logStore, plans, model };
  const runs = createRuns(base, needs);
  await base.runtime.truth();
  const createReader = () => createMemoryReader(SAMPLE_WORLD);
  return {
    base,
    runs,
    alerts: needs.alerts,
    agents: needs.agents,
    tools: needs.tools,
    outbox: needs.outbox,
    createReader,
    cases: services.cases,

    async close(): Promise<void> {
      await needs.outbox.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type RunsWorld = Awaited<ReturnType<typeof createRunsWorld>>;

import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { invalidField, notFound, Problem } from "@kit/problem";
import Type from "typebox";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../foundation/caller/caller.ts";
import { PERMISSIONS, ROLES } from "../../foundation/caller/permissions.schema.ts";
import { createChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import { createRuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { CATALOG } from "../agents/catalog.ts";
import { cutCaller, findCatalogAgent } from "./agent-permissions.ts";
import { defineTool, type ToolCall } from "./tool.ts";
import { createToolsService, parseAgent } from "./tools.service.ts";

const ADMIN: Caller = { kind: "user", username: "ada", role: "admin" };
const input = Type.Object(
  { name: Type.String(), times: Type.Integer({ default: 3, minimum: 1 }), note: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
const output = Type.Object({ status: Type.String(), seen: Type.Optional(Type.Unknown()) });

interface World {
  mode?: Mode;
  changes?: boolean;
  hasDatabase?: boolean;
  run?: (call: ToolCall, input: unknown) => Promise<{ status: string; seen?: unknown }>;
}

/** Creates a service with one tool, whose work the test chooses. */
function createWorld({ mode = "real", changes = false, hasDatabase = true, run }: World = {}) {
  const clock = createFakeClock();
  const tool = defineTool({
    ...{ name: "look", description: "Looks.", permission: "cases:write", budgetMs: 1000, changes, input, output },
    run: run ?? (async (_, seen) => ({ status: "completed", seen })),
  });
  const runtime = createRuntimeService({ mode, database: { isAvailable: async () => hasDatabase } });
  const db = undefined as never;
  const tools = createToolsService({
    tools: new Map([[tool.name, tool]]),
    runtime,
    changes: createChangesService({ runtime, db }),
    agents: { list: async () => ({ items: [], total: 0, skip: 0, limit: 50, next_cursor: null }) },
    clock,
    log: silentLog,
  });
  return { clock, tools };
}

const fail = (error: unknown) => ({ run: async () => Promise.reject(error) });
const forever = (call: ToolCall) =>
  new Promise<never>((_, reject) => call.signal.addEventListener("abort", () => reject(call.signal.reason)));

it("returns the tool's status with a null error_code and error", async () => {
  const answer = await createWorld().tools.call(ADMIN, "look", { name: "x" });
  expect(answer).toEqual({ status: "completed", seen: { name: "x", times: 3 }, error_code: null, error: null });
});

it("fills defaults and drops unknown fields", async () => {
  const answer = await createWorld().tools.call(ADMIN, "look", { name: "x", times: 1, agent: "other" });
  expect(answer).toMatchObject({ seen: { name: "x", times: 1 } });
});

it("treats null as absent in an optional input", async () => {
  const answer = await createWorld().tools.call(ADMIN, "look", { name: "x", times: null, note: null });
  expect(answer).toMatchObject({ status: "completed", seen: { name: "x", times: 3 } });
});

it.each([
  ["a missing field", {}, "name: is required"],
  ["null for a required field", { name: null }, "name: must be a text"],
  ["a wrong type", { name: 5 }, "name: must be a text"],
  ["a number below its minimum", { name: "x", times: 0 }, "times: must be an integer of at least 1"],
  ["no object", "text", "input: must be an object"],
])("refuses %s as invalid_input and names the field", async (_what, given, error) => {
  const answer = await createWorld().tools.call(ADMIN, "look", given);
  expect(answer).toEqual({ status: "error", error_code: "invalid_input", error });
});

it.each([
  ["invalid_input", invalidField("status", "must be open"), "status: must be open"],
  ["not_found", notFound("case", "7"), "case '7' does not exist"],
  ["forbidden", new Problem("forbidden", "role 'tier1' lacks x"), "role 'tier1' lacks x"],
  ["conflict", new Problem("conflict", "playbook 'p' is disabled"), "playbook 'p' is disabled"],
  ["unavailable", new Problem("unavailable", "the database is unavailable"), "the database is unavailable"],
  ["internal", new Problem("failed", "password=secret"), "internal error"],
  ["internal", new Error("connect ECONNREFUSED 10.0.0.7:5432"), "internal error"],
])("answers %s for %s", async (error_code, thrown, error) => {
  const answer = await createWorld(fail(thrown)).tools.call(ADMIN, "look", { name: "x" });
  expect(answer).toEqual({ status: "error", error_code, error });
});

it("answers timeout when the tool's own budget is used up", async () => {
  const { clock, tools } = createWorld({ run: forever });
  const answer = tools.call(ADMIN, "look", { name: "x" }, { budgetMs: 5000 });
  await clock.advance(1000);
  expect(await answer).toMatchObject({ status: "error", error_code: "timeout" });
});

it("answers budget_exceeded when the budget of the call is used up first", async () => {
  const { clock, tools } = createWorld({ run: () => new Promise(() => undefined) });
  const answer = tools.call(ADMIN, "look", { name: "x" }, { budgetMs: 20 });
  await clock.advance(20);
  expect(await answer).toMatchObject({ status: "error", error_code: "budget_exceeded" });
});

it("answers unavailable when the client disconnects", async () => {
  const leaving = new AbortController();
  const answer = createWorld({ run: forever }).tools.call(ADMIN, "look", { name: "x" }, { signal: leaving.signal });
  leaving.abort();
  expect(await answer).toMatchObject({ error_code: "unavailable", error: "the call was cancelled" });
});

it("answers not_found for a tool that does not exist", async () => {
  const answer = await createWorld().tools.call(ADMIN, "constructor", {});
  expect(answer).toMatchObject({ error_code: "not_found", error: "tool 'constructor' does not exist" });
});

it.each([
  ["dummy", true, true, "mode_blocked"],
  ["dummy", true, false, "mode_blocked"],
  ["dummy", false, false, null],
  ["dry_run", true, false, "unavailable"],
  ["real", true, false, "unavailable"],
  ["real", true, true, null],
] as const)("in mode %s, a tool with changes: %s, database: %s, answers %s", async (...given) => {
  const [mode, changes, hasDatabase, error_code] = given;
  const answer = await createWorld({ mode, changes, hasDatabase }).tools.call(ADMIN, "look", { name: "x" });
  expect(answer.error_code).toBe(error_code);
});

describe("permissions of tools", () => {
  it("refuse a caller or an agent that lacks the permission", async () => {
    const { tools } = createWorld();
    const auditor: Caller = { kind: "user", username: "eve", role: "auditor" };
    expect(await tools.call(auditor, "look", { name: "x" })).toMatchObject({ error_code: "forbidden" });
    const reader = { agent: { name: "TriageAgent", permissions: ["cases:read"] } } as const;
    expect(await tools.call(ADMIN, "look", { name: "x" }, reader)).toMatchObject({
      error_code: "forbidden",
      error: "agent 'TriageAgent' lacks cases:write",
    });
    const triage = { agent: findCatalogAgent("TriageAgent") };
    expect(await tools.call(ADMIN, "look", { name: "x" }, triage)).toMatchObject({ error_code: null });
    expect(await tools.call(auditor, "look", { name: "x" }, triage)).toMatchObject({ error_code: "forbidden" });
  });

  // docs/api/soc.md, "Agent tools": whether an agent writes cases, searches logs, looks up indicators, executes
  // playbooks, reads devices.
  const TOOLS = ["cases:write", "siem:read", "iocs:read", "playbooks:execute", "cps:read"] as const;
  const TABLE = "wli wli wlid wli wli wli wli wli wli wli wli wld wld wxd w wli".split(" ");

  it.each(CATALOG.map((agent, at) => [agent.name, TABLE[at], agent] as const))(
    "restrict an administrator to %s: %s",
    (...row) => {
      const [, marks, agent] = row;
      const { scopes = [] } = cutCaller(ADMIN, agent);
      expect(TOOLS.map((each, at) => (scopes.includes(each) ? "wlixd"[at] : "")).join("")).toBe(marks);
      expect(scopes).toEqual(expect.arrayContaining(["alerts:read", "cases:read"]));
      expect(scopes).not.toContain("approvals:manage");
    },
  );

  it.each(ROLES)("give role %s no additional permission through an agent", (role) => {
    const caller: Caller = { kind: "user", username: role, role };
    const own = cutCaller(caller, undefined).scopes ?? [];
    for (const agent of CATALOG)
      expect(own).toEqual(expect.arrayContaining([...(cutCaller(caller, agent).scopes ?? [])]));
  });

  it("never allow a tool to decide an approval", () => {
    expect(cutCaller(ADMIN, undefined).scopes).toEqual(PERMISSIONS.filter((each) => each !== "approvals:manage"));
  });
});

it.each([
  ["agent-001", "TriageAgent"],
  ["agent-014", "ResponseAgent"],
  ["CpsGuardAgent", "CpsGuardAgent"],
])("map the agent_id %s to %s", (agent_id, name) => {
  expect(parseAgent(agent_id)?.name).toBe(name);
});

it.each(["agent-000", "agent-015", "agent-016", "SupervisorAgent", "triageagent", "agent-1", ""])(
  "refuse the agent_id '%s'",
  (agent_id) => {
    expect(findCatalogAgent(agent_id)).toBeUndefined();
    expect(() => parseAgent(agent_id)).toThrow(/^agent_id: must be agent-001 to agent-014/);
  },
);

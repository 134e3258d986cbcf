import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { invalidField, notFound, Problem, type ProblemKind } from "@kit/problem";
import { type Caller, formatRefusal, isCallerAllowed } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { DEFAULT_LIMIT, decodeCursor, type Page, toPage } from "../../foundation/lists/page.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { findRefusal } from "../../foundation/runtime/effects.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { AgentsService } from "../agents/agents.service.ts";
import { type CallingAgent, cutCaller, findCatalogAgent } from "./agent-permissions.ts";
import { raceAbort } from "./race-abort.ts";
import type { Tool, ToolAnswer, ToolCall } from "./tool.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import type { ErrorCode } from "./tools.schema.ts";

export interface ToolsServiceDeps {
  tools: ToolRegistry;
  runtime: Pick<RuntimeService, "truth">;
  changes: Pick<ChangesService, "runAs">;
  agents: Pick<AgentsService, "list">;
  clock: Pick<Clock, "deadline">;
  log: Log;
}
export type ToolsService = ReturnType<typeof createToolsService>;

/** `internal` for the platform's own agents, whose records are also stored in dry_run. */
type ToolEffect = "change" | "internal";

export interface CallOptions {
  agent?: CallingAgent | undefined;
  /** The budget of this call, at most that of the tool. */
  budgetMs?: number | undefined;
  /** Aborts when the answer is no longer needed. */
  signal?: AbortSignal | undefined;
  effect?: ToolEffect;
  /** Wraps a change in its transaction, so that a repeated call makes the change once and returns the same result. */
  once?: <Result>(tx: Tx, change: () => Promise<Result>) => Promise<Result>;
}

type RunOptions = CallOptions & { signal: AbortSignal };

/** The tool's own answer, or `status: "error"`. */
export type Envelope = ToolAnswer & { error_code: ErrorCode | null; error: string | null };

const ORDER = "name";

const CODES: Readonly<Record<ProblemKind, ErrorCode>> = {
  invalid: "invalid_input",
  unauthenticated: "forbidden",
  forbidden: "forbidden",
  not_found: "not_found",
  conflict: "conflict",
  too_large: "invalid_input",
  rate_limited: "unavailable",
  unavailable: "unavailable",
  failed: "internal",
};

export function createToolsService({ tools, runtime, changes, agents, clock, log }: ToolsServiceDeps) {
  const outside = AsyncLocalStorage.snapshot();

  function listUsable(caller: Caller, agent: CallingAgent | undefined, effect: ToolEffect = "change"): Tool[] {
    const cut = cutCaller(caller, agent);
    const isOpen = (tool: Tool) => isOpenTo(tool, caller, effect);
    return [...tools.values()].filter((tool) => isCallerAllowed(cut, [tool.permission]) && isOpen(tool));
  }

  async function requireEnabled({ name }: CallingAgent): Promise<void> {
    // Whether an agent is disabled does not depend on a site.
    const { items } = await outside(() => agents.list({ status: "disabled" }));
    if (items.some((each) => each.name === name)) throw new Problem("conflict", `agent '${name}' is disabled`);
  }

  async function requireMode(tool: Tool, caller: Caller, effect: ToolEffect): Promise<void> {
    const refusal = tool.changes && findRefusal(effect, caller.kind === "api_key", await runtime.truth());
    if (refusal) throw refusal;
  }

  async function run(tool: Tool, given: Caller, input: unknown, options: RunOptions): Promise<ToolAnswer> {
    const { agent, effect = "change", signal } = options;
    requirePermission(tool, given, agent, effect);
    const caller = cutCaller(given, agent);
    await requireMode(tool, caller, effect);
    if (agent) await requireEnabled(agent);
    const work = tool.run({ caller, signal, change: createChange(caller, effect, options) }, input);
    // A change is not aborted: it commits or rolls back, and the answer states which.
    return tool.changes ? work : raceAbort(work, signal);
  }

  function createChange(caller: Caller, effect: ToolEffect, options: RunOptions): ToolCall["change"] {
    const { signal, once } = options;
    return (work) =>
      changes.runAs(caller, effect, async (tx) => {
        const result = await (once ? once(tx, () => work(tx)) : work(tx));
        signal.throwIfAborted();
        return result;
      });
  }

  function explain(error: unknown, name: string): Envelope {
    if (!(error instanceof Problem)) log.error({ err: error, tool: name }, "tool failed");
    return toFailure(error);
  }

  return {
    find: (name: string): Tool | undefined => tools.get(name),

    all: (): Tool[] => [...tools.values()],

    /** Lists the tools that this caller may use through the agent. */
    listUsable,

    list(caller: Caller, { agent_id, ...query }: PageQuery & { agent_id?: string }): Page<Tool> {
      const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
      const after = cursor === undefined ? "" : String(decodeCursor(ORDER, cursor)[0]);
      const usable = listUsable(caller, parseAgent(agent_id)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const rows = usable.filter(({ name }) => name > after).slice(skip, skip + limit + 1);
      return toPage({ query, order: ORDER, rows, total: { total: usable.length }, positionOf: ({ name }) => [name] });
    },

    /** Never throws: refusals and failures are envelopes, too. */
    async call(caller: Caller, name: string, input: unknown, options: CallOptions = {}): Promise<Envelope> {
      const tool = tools.get(name);
      if (!tool) return toFailure(notFound("tool", name));
      const { budgetMs = Number.POSITIVE_INFINITY, signal: wanted } = options;
      const deadline = clock.deadline(Math.min(budgetMs, tool.budgetMs));
      const signal = wanted ? AbortSignal.any([deadline, wanted]) : deadline;
      try {
        const answer = await run(tool, caller, input, { ...options, signal });
        return { ...answer, error_code: answer.error_code ?? null, error: answer.error ?? null };
      } catch (error) {
        if (deadline.aborted) return overBudget(budgetMs, tool);
        return explain(signal.aborted ? new Problem("unavailable", "the call was cancelled") : error, name);
      }
    },
  };
}

/** Returns the agent of the tool catalog that a request names. */
export function parseAgent(agent_id: string | undefined): CallingAgent | undefined {
  if (agent_id === undefined) return undefined;
  const agent = findCatalogAgent(agent_id);
  if (!agent) {
    throw invalidField("agent_id", `must be agent-001 to agent-014 or the name of one of them, not '${agent_id}'`);
  }
  return agent;
}

/**
 * Reports whether the tool supports sites, or the caller has all sites. Agents of the platform that work for one site use
 * every tool: each passes the sites of its caller on, and indicators belong to all sites.
 */
function isOpenTo({ bySite }: Tool, { sites }: Caller, effect: ToolEffect): boolean {
  return sites === undefined || bySite === true || effect === "internal";
}

function requirePermission(tool: Tool, caller: Caller, agent: CallingAgent | undefined, effect: ToolEffect): void {
  const { permission } = tool;
  if (!isCallerAllowed(caller, [permission])) throw new Problem("forbidden", formatRefusal(caller, [permission]));
  if (!isOpenTo(tool, caller, effect)) throw new Problem("forbidden", "requires access to all sites");
  if (isCallerAllowed(cutCaller(caller, agent), [permission])) return;
  throw new Problem("forbidden", `agent '${agent?.name}' lacks ${permission}`);
}

/** Returns the envelope of a refusal. Hides any other error, because its message may contain internal details. */
export function toFailure(error: unknown): Envelope {
  if (!(error instanceof Problem) || error.kind === "failed") return buildFailure("internal", "internal error");
  const { kind, code, message } = error;
  return buildFailure(code === "mode_blocked" ? code : CODES[kind], message);
}

function overBudget(budgetMs: number, tool: Tool): Envelope {
  if (budgetMs < tool.budgetMs)
    return buildFailure("budget_exceeded", `budget_ms: the call did not finish within ${budgetMs} ms`);
  return buildFailure("timeout", `${tool.name} did not finish within ${tool.budgetMs} ms`);
}

function buildFailure(error_code: ErrorCode, error: string): Envelope {
  return { status: "error", error_code, error };
}

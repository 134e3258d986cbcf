import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { CasesService } from "../../cases/module.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import type { Approval, ApprovalsService, Gate } from "../../response/module.ts";
import { RequestApprovalInput, RequestApprovalOutput } from "./documented-tools.schema.ts";
import { defineTool, type Tool, type ToolCall } from "./tool.ts";

export interface ApprovalToolDeps {
  gate: Pick<Gate, "requestFor" | "endWait">;
  approvals: Pick<ApprovalsService, "get">;
  cases: Pick<CasesService, "keep">;
  clock: Pick<Clock, "sleep">;
  /** Aborts when the service stops. */
  closing: AbortSignal;
}

type Known = Pick<Approval, "id" | "status" | "decided_by">;

// API document, "request_human_approval polls every 30 seconds, at most 10 times, then reports timeout".
const POLLS = 10;
const POLL_MS = 30_000;
/** The polls and the statements before and after them. */
const BUDGET_MS = POLLS * POLL_MS + 15_000;
const MAX_WAITS = 100;
const MAX_WAITS_PER_CALLER = 10;

/** `request_human_approval`: asks a person and waits. It only reads the decision: no tool decides an approval. */
export function createApprovalTool({ gate, approvals, cases, clock, closing }: ApprovalToolDeps): Tool {
  const waits = new Map<string, number>();

  /** Each wait holds a connection to its client for minutes. */
  async function inTurn<Result>(username: string, work: () => Promise<Result>): Promise<Result> {
    const own = waits.get(username) ?? 0;
    const all = [...waits.values()].reduce((sum, count) => sum + count, 0);
    if (own >= MAX_WAITS_PER_CALLER || all >= MAX_WAITS) {
      throw new Problem("unavailable", "too many calls wait for an approval; try again later");
    }
    waits.set(username, own + 1);
    try {
      return await work();
    } finally {
      const left = (waits.get(username) ?? 1) - 1;
      if (left > 0) waits.set(username, left);
      else waits.delete(username);
    }
  }

  /** The database may be unreachable for one poll and answer the next one. */
  async function poll({ caller }: ToolCall, id: string): Promise<Known | undefined> {
    try {
      return await approvals.get(caller, id);
    } catch (error) {
      if (error instanceof Problem && error.kind === "unavailable") return undefined;
      throw error;
    }
  }

  async function waitFor(call: ToolCall, asked: Known): Promise<Known> {
    const signal = AbortSignal.any([call.signal, closing]);
    for (let polls = 0; polls < POLLS; polls += 1) {
      // A sleep that is cut off rejects with an error of its own; the reason of the signal is for the caller.
      await clock.sleep(POLL_MS, signal).catch(() => signal.throwIfAborted());
      const known = await poll(call, asked.id);
      if (known && known.status !== "pending") return known;
    }
    // A decision that was made after the last poll wins.
    return (await call.change((tx) => gate.endWait(tx, asked.id))).result;
  }

  return defineTool({
    name: "request_human_approval",
    description:
      "Asks a person to approve an action and waits up to five minutes for the decision. After a timeout the same request finds a decision that was made later.",
    permission: "cases:write",
    input: RequestApprovalInput,
    output: RequestApprovalOutput,
    budgetMs: BUDGET_MS,
    changes: true,

    async run(call, { action, justification, case_id = null, ttl_hours }) {
      const requested_by = call.caller.username;
      const { dry_run, result: asked } = await call.change(async (tx) => {
        if (case_id !== null) await cases.keep(tx, toScope(call.caller), case_id);
        return gate.requestFor(tx, { action, justification, case_id, ttl_hours, requested_by });
      });
      if (dry_run) return { ...toAnswer(asked), dry_run };
      if (asked.status !== "pending") return toAnswer(asked);
      return toAnswer(await inTurn(requested_by, () => waitFor(call, asked)));
    },
  });
}

function toAnswer({ id, status, decided_by }: Known) {
  const answer = { approval_id: id, status, decided_by };
  if (status !== "timeout") return answer;
  const message = "No decision was made in time. It may still follow: repeat the same request to find it.";
  return { ...answer, message };
}

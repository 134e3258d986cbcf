import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { CasesService } from "../../cases/module.ts";
import { toScope } from "../../foundation/caller/caller.ts";
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

type ApprovalRequest = Pick<Approval, "id" | "status" | "decided_by">;

// API document: "request_human_approval polls every 30 seconds, at most 10 times, then reports timeout".
const POLLS = 10;
const POLL_MS = 30_000;
/** The polls and the statements before and after them. */
const BUDGET_MS = POLLS * POLL_MS + 15_000;
const MAX_WAITS = 100;
const MAX_WAITS_PER_CALLER = 10;

/**
 * `request_human_approval`: requests an approval and waits. It only reads the decision, because no tool decides an
 * approval.
 */
export function createApprovalTool({ gate, approvals, cases, clock, closing }: ApprovalToolDeps): Tool {
  const waits = new Map<string, number>();

  /** Limited, because each wait holds a client connection for minutes. */
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

  /** The database may be unreachable for one poll and available for the next. */
  async function poll({ caller }: ToolCall, id: string): Promise<ApprovalRequest | undefined> {
    try {
      return await approvals.get(caller, id);
    } catch (error) {
      if (error instanceof Problem && error.kind === "unavailable") return undefined;
      throw error;
    }
  }

  async function waitFor(call: ToolCall, asked: ApprovalRequest): Promise<ApprovalRequest> {
    const signal = AbortSignal.any([call.signal, closing]);
    for (let polls = 0; polls < POLLS; polls += 1) {
      // An aborted sleep rejects with its own error; the caller needs the reason of the signal.
      await clock.sleep(POLL_MS, signal).catch(() => signal.throwIfAborted());
      const known = await poll(call, asked.id);
      if (known && known.status !== "pending") return known;
    }
    // A decision made after the last poll counts.
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

function toAnswer({ id, status, decided_by }: ApprovalRequest) {
  const answer = { approval_id: id, status, decided_by };
  if (status !== "timeout") return answer;
  const message = "No decision was made in time. It may follow later: repeat the same request to find it.";
  return { ...answer, message };
}

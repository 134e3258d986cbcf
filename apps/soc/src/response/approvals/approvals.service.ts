import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, isCallerAllowed, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { HeldDecision, SettleChange } from "../../foundation/held-changes.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { type FindAccountLinks, findLinkBetween, formatLink } from "../../identity/module.ts";
import { type Approval, type ApprovalDetail, type ApprovalOutcome, effectHashOf } from "./approval.ts";
import { isHeldChange, recordInputs, toBound } from "./approval-gate.ts";
import type { DecidedInputs } from "./approval-port.ts";
import type { ApprovalsQuery, DecideRequest } from "./approvals.schema.ts";
import { type ApprovalsStore, type CurrentApproval, createApprovalsWriter } from "./approvals.store.ts";

/** Resumes executions that wait for a step's decision. */
export interface WaitingExecutions {
  /** Makes the execution due if it still waits for an approval. */
  resume(tx: Tx, execution_id: string, outcome: ApprovalOutcome): Promise<void>;
  /** Validates the missing inputs that a decision sets and describes the effect with them. */
  planDecision(approval: Approval, parameters: Record<string, unknown>): Promise<DecidedInputs>;
}

/** Passes decisions to the case of an approval. */
export interface DecidedCases {
  follow(
    tx: Tx,
    caller: Caller,
    decision: { id: string; case_id: string; action: string; status: "approved" | "rejected" },
  ): Promise<void>;
}

/** Returns the owners and the creators of the API keys among these callers. */
export type FindKeyPeople = (tx: Tx, usernames: readonly string[]) => Promise<string[]>;

export interface ApprovalsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ApprovalsStore; showcase: ApprovalsStore };
  executions: WaitingExecutions;
  decisions?: DecidedCases;
  findKeyPeople?: FindKeyPeople;
  findAccountLinks?: FindAccountLinks;
  settleHeld?: SettleChange;
  audit: Recorder;
}
export type ApprovalsService = ReturnType<typeof createApprovalsService>;

export function createApprovalsService(deps: ApprovalsServiceDeps) {
  const { runtime, stores, executions, decisions, findKeyPeople, findAccountLinks, settleHeld, audit } = deps;

  async function record(tx: Tx, { username }: Caller, action: string, approval: Approval, vote: DecideRequest) {
    const { id, kind, status, action: what, playbook_id, case_id, requested_by, execution_id } = approval;
    const about = { kind, status, action: what, playbook_id, case_id, requested_by, execution_id };
    const details = { ...about, approved: vote.approved };
    await audit.record(tx, { actor: username, action, subject_type: "approval", subject_id: id, details });
  }

  /** Reports whether this vote decides: a rejection always does, an approval once the quorum is reached. */
  async function isFinal(tx: Tx, { id, quorum }: CurrentApproval, { approved }: DecideRequest): Promise<boolean> {
    if (!approved) return true;
    return (await createApprovalsWriter(tx).listVotes(id)).filter((vote) => vote.approved).length >= quorum;
  }

  async function setInputs(
    tx: Tx,
    { username }: Caller,
    approval: CurrentApproval,
    inputs: DecidedInputs,
  ): Promise<void> {
    const { id, kind, requested_by, effect_hash } = approval;
    if (effectHashOf({ ...approval, effect: inputs.shown }) !== effect_hash) {
      throw new Problem("conflict", `approval '${id}' is for another effect: the effect has changed since`);
    }
    const writer = createApprovalsWriter(tx);
    const bound = toBound(approval, inputs);
    const other = await writer.findRequested({ kind, requested_by, effect_hash: bound.effect_hash });
    if (other?.status === "pending") {
      throw new Problem("conflict", `approval '${other.id}' already waits for the same effect: decide that one`);
    }
    await writer.setInputs(id, bound);
    await recordInputs(audit, tx, username, approval, inputs, "decision");
  }

  async function settle(tx: Tx, { id, parameters }: Approval, decision: HeldDecision): Promise<void> {
    // A rejection of a record that has changed or was deleted has nothing to discard.
    if ((await settleHeld?.(tx, decision)) || !decision.isApproved) return;
    throw new Problem(
      "conflict",
      `approval '${id}' is for an earlier content: the ${String(parameters.subject)} has changed since`,
    );
  }

  async function end(tx: Tx, caller: Caller, id: string, vote: DecideRequest): Promise<Approval> {
    const { username: decided_by } = caller;
    const status = vote.approved ? "approved" : "rejected";
    const decided = await createApprovalsWriter(tx).decide(id, { status, decided_by, reason: vote.reason ?? null });
    if (!decided) throw expired(id);
    await record(tx, caller, "approval.decided", decided, vote);
    const { kind, execution_id, action, case_id } = decided;
    if (case_id !== null) await decisions?.follow(tx, caller, { id, case_id, action, status });
    if (kind === "step" && execution_id !== null) await executions.resume(tx, execution_id, status);
    if (isHeldChange(decided))
      await settle(tx, decided, { approval_id: id, isApproved: vote.approved, actor: decided_by });
    return decided;
  }

  /** A person who created or reset an account may act as both: they must not start something and decide about it. */
  async function requireOtherAccount(tx: Tx, approval: CurrentApproval, { username }: Caller): Promise<void> {
    const { four_eyes, requested_by, requesters, starters } = approval;
    if (!four_eyes) return;
    const expand = async (names: string[]) => [...names, ...((await findKeyPeople?.(tx, names)) ?? [])];
    const deciding = await expand([username]);
    const starting = await expand([requested_by, ...(starters ?? requesters)]);
    const links = (await findAccountLinks?.(tx, deciding)) ?? [];
    const link = findLinkBetween(links, deciding, starting);
    if (link) throw new Problem("forbidden", `approved: ${formatLink(link)} (four eyes)`);
  }

  /** An API key acts as its owner and its creator: neither decides about its request, or votes in addition to it. */
  async function requireOtherPerson(tx: Tx, approval: CurrentApproval, { username }: Caller): Promise<void> {
    const { id, four_eyes, requested_by, requesters } = approval;
    const voters = (await createApprovalsWriter(tx).listVotes(id)).map(({ decided_by }) => decided_by);
    const others = [...(four_eyes ? [requested_by, ...requesters] : []), ...voters];
    const own = (await findKeyPeople?.(tx, [username])) ?? [];
    const theirs = (await findKeyPeople?.(tx, others)) ?? [];
    if (!theirs.includes(username) && !own.some((name) => others.includes(name))) return;
    throw new Problem(
      "forbidden",
      "approved: you own or created the API key of a requester, so another person must decide (four eyes)",
    );
  }

  return {
    async list(scope: Scope, query: ApprovalsQuery): Promise<Page<Approval>> {
      return (await runtime.choose(stores)).list(scope, query);
    },

    /** Lists the open approvals that the caller may decide. */
    async listDecidable(caller: Caller, query: ApprovalsQuery): Promise<Page<Approval>> {
      return (await runtime.choose(stores)).listDecidable(toScope(caller), caller.username, query);
    },

    async findVisible(scope: Scope, ids: readonly string[]): Promise<ReadonlySet<string>> {
      return (await runtime.choose(stores)).findVisible(scope, ids);
    },

    /** Lists the caller's requests, in every status unless the query names one. */
    async listOwn(caller: Caller, query: ApprovalsQuery): Promise<Page<Approval>> {
      return (await runtime.choose(stores)).listOwn(toScope(caller), caller.username, query);
    },

    /** Returns the approval to the requester and to callers who may decide; for all others it does not exist. */
    async get(caller: Caller, id: string): Promise<ApprovalDetail> {
      const approval = await (await runtime.choose(stores)).find(toScope(caller), id);
      const isShown = approval?.requested_by === caller.username || isCallerAllowed(caller, ["approvals:manage"]);
      if (!approval || !isShown) throw notFound("approval", id);
      return approval;
    },

    /** Prepares the inputs that the decision sets, before its transaction. Undefined if it sets none. */
    async planDecision(caller: Caller, id: string, vote: DecideRequest): Promise<DecidedInputs | undefined> {
      const { approved, parameters = {} } = vote;
      if (Object.keys(parameters).length === 0) return undefined;
      if (!approved) throw invalidField("parameters", "must be absent in a rejection");
      const approval = await (await runtime.choose(stores)).find(toScope(caller), id);
      // `decide` refuses both.
      if (!approval || approval.status === "approved" || approval.status === "rejected") return undefined;
      return executions.planDecision(approval, parameters);
    },

    /** `inputs` comes from `planDecision`. */
    async decide(
      tx: Tx,
      caller: Caller,
      id: string,
      vote: Omit<DecideRequest, "parameters">,
      inputs?: DecidedInputs,
    ): Promise<Approval> {
      const writer = createApprovalsWriter(tx);
      const { approved, reason = null } = vote;
      requireStorable({ reason });
      const approval = await writer.lock(toScope(caller), id);
      if (!approval) throw notFound("approval", id);
      requireOpen(approval);
      requireOtherEyes(approval, caller);
      await requireOtherPerson(tx, approval, caller);
      await requireOtherAccount(tx, approval, caller);
      if (!(await writer.insertVote(id, { decided_by: caller.username, approved, reason }))) {
        throw new Problem(
          "conflict",
          `approval '${id}' needs ${approval.quorum} people, and you have already approved it`,
        );
      }
      const isEnd = await isFinal(tx, approval, vote);
      if (inputs) await setInputs(tx, caller, approval, inputs);
      if (isEnd) return end(tx, caller, id, vote);
      await record(tx, caller, "approval.voted", approval, vote);
      return { ...approval, ...(inputs && toBound(approval, inputs)) };
    },
  };
}

/** Under four eyes, no requester may approve or reject: neither the caller nor the authors of the requested content. */
function requireOtherEyes({ four_eyes, requested_by, requesters }: CurrentApproval, { username }: Caller): void {
  if (!four_eyes) return;
  if (username === requested_by) {
    throw new Problem("forbidden", "approved: the requester must not decide (four eyes)");
  }
  if (requesters.includes(username)) {
    throw new Problem(
      "forbidden",
      "approved: you wrote the playbook or the automation, or reported the alert, so another person must decide (four eyes)",
    );
  }
}

/** A request that timed out because the agent stopped waiting can be decided until it expires. */
function requireOpen({ id, kind, status, is_expired, decided_by }: CurrentApproval): void {
  if (status === "approved" || status === "rejected") {
    throw new Problem("conflict", `approval '${id}' was already decided by '${decided_by}'`);
  }
  if (is_expired || (status === "timeout" && kind !== "request")) throw expired(id);
}

function expired(id: string): Problem {
  return new Problem("conflict", `approval '${id}' has expired`);
}

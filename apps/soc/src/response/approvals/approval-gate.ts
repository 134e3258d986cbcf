import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import type { HeldChange } from "../../foundation/held-changes.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import {
  type Approval,
  effectHashOf,
  listRequesters,
  MAX_TTL_HOURS,
  requestHashOf,
  resolvePolicy,
  stepHashOf,
  TTL_HOURS,
} from "./approval.ts";
import type { ApprovalGate, ApprovalUse, ApprovalUseOutcome, SetInputs, StepApprovals } from "./approval-port.ts";
import { type BoundInputs, type CurrentApproval, createApprovalsWriter, type NewApproval } from "./approvals.store.ts";

export interface GateDeps {
  db: Db;
  audit: Recorder;
  ids: Pick<Ids, "next">;
  /** The value of SOC_FOUR_EYES; a playbook cannot disable it. */
  fourEyes: boolean;
}
export interface AgentRequest {
  action: string;
  justification: string;
  case_id: string | null;
  ttl_hours?: number | undefined;
  requested_by: string;
}

const TRIES = 3;
const ACTOR = "approvals";
const NO_PLAYBOOK = { playbook_id: null, playbook_version: null, execution_id: null };
const NOTHING = { ...NO_PLAYBOOK, alert_id: null, site: null, parameters: {}, missing_inputs: [] };

/** The gate of playbooks and actions, with approvals for agents and for steps. */
export interface Gate extends ApprovalGate, StepApprovals {
  /** Requests the approval of a stored change, which takes effect with the decision. */
  hold(tx: Tx, caller: Caller, change: HeldChange): Promise<string>;
  /** Stores a free-text request of an agent. Repeating it returns the same approval with its current status. */
  requestFor(tx: Tx, request: AgentRequest): Promise<Approval>;
  /**
   * Ends the agent's wait: the request times out, but a person may decide it until it expires. An earlier decision
   * stays and is returned.
   */
  endWait(tx: Tx, approval_id: string): Promise<Approval>;
}

/** The only way to start anything that needs a person's approval, for users, automations and agents alike. */
export function createGate({ db, audit, ids, fourEyes }: GateDeps): Gate {
  async function record(tx: Tx, actor: string, action: string, approval: Approval): Promise<void> {
    const { id, kind, action: what, playbook_id, case_id, alert_id, requested_by, expires_at, execution_id } = approval;
    const about = { kind, action: what, playbook_id, case_id, alert_id, requested_by, expires_at, execution_id };
    await audit.record(tx, { actor, action, subject_type: "approval", subject_id: id, details: about });
  }

  async function insert(tx: Tx, asked: NewApproval): Promise<Approval | undefined> {
    const approval = await createApprovalsWriter(tx).insert(asked);
    if (approval) await record(tx, asked.requested_by, "approval.requested", approval);
    return approval;
  }

  async function insertAfterExpiry(tx: Tx, asked: NewApproval): Promise<Approval | undefined> {
    const expired = await createApprovalsWriter(tx).endExpiredRequest(asked);
    for (const ended of expired) await record(tx, ACTOR, "approval.expired", ended);
    return insert(tx, asked);
  }

  /** Returns the existing approval for the same request, or inserts one; concurrent callers get the same approval. */
  async function findOrInsert(
    tx: Tx,
    asked: NewApproval,
    reuse: (found: CurrentApproval) => Promise<Approval | undefined>,
  ): Promise<Approval> {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const found = await createApprovalsWriter(tx).findRequested(asked);
      const approval = (found && (await reuse(found))) ?? (await insertAfterExpiry(tx, asked));
      if (approval) return approval;
    }
    throw new Problem("conflict", "approval: another caller sent the same request concurrently; try again");
  }

  const gate: Gate = {
    async hold(tx, { username }, { subject, id, version, action, justification, summary }) {
      const approval = await gate.request(tx, {
        ...{ kind: "action", playbook_id: null, playbook_version: null, alert_id: null, case_id: null, site: null },
        action,
        justification,
        parameters: { subject, id, version },
        effect: [{ summary, sends: [] }],
        requested_by: username,
        requesters: [username],
      });
      return approval.id;
    },

    async request(tx, request) {
      const { policy, ...named } = request;
      const requesters = listRequesters(named.requested_by, named.requesters);
      const starters = listRequesters(named.requested_by, named.starters ?? named.requesters);
      const asked = { ...named, missing_inputs: named.missing_inputs ?? [], requesters, starters };
      requireStorable(asked);
      requireIds(asked);
      return findOrInsert(
        tx,
        {
          ...asked,
          ...resolvePolicy(policy, fourEyes),
          id: ids.next(),
          effect_hash: effectHashOf(asked),
          execution_id: null,
          ttl_hours: TTL_HOURS,
        },
        async (found) => (found.status === "pending" ? withoutPolicy(found) : undefined),
      );
    },

    async look(use) {
      const approval = await createApprovalsWriter(db).find(use.approval_id, use.scope);
      if (!approval || isForeign(approval, use)) return undefined;
      const { status, execution_id, is_expired, parameters, missing_inputs, alert_id, case_id, requested_by } =
        approval;
      const isOpen = (status === "pending" || status === "approved") && execution_id === null && !is_expired;
      return isOpen ? { status, parameters, missing_inputs, alert_id, case_id, requested_by } : undefined;
    },

    async use(tx, use) {
      const writer = createApprovalsWriter(tx);
      const { approval_id, execution_id, caller, scope, effect, inputs } = use;
      const approval = await writer.find(approval_id, scope);
      if (!approval || isForeign(approval, use)) throw foreign(use);
      if (!effect) return toUseOutcome(approval, use);
      const { kind, playbook_id, playbook_version } = use;
      const effect_hash = effectHashOf({ ...approval, ...toReplayBody(use, approval), effect });
      const bound = { id: approval.id, kind, playbook_id, playbook_version, effect_hash };
      const used = await writer.consume({ ...bound, execution_id, set: inputs && toBound(approval, inputs) });
      if (!used) return toUseOutcome(await writer.find(approval_id, scope), use);
      // Check after locking the row, because a vote may have been counted since it was read.
      if (approval.four_eyes && (await writer.listVotes(approval.id)).some(({ decided_by }) => decided_by === caller)) {
        throw new Problem(
          "forbidden",
          `approval_id: you decided '${approval.id}', so another person must use it (four eyes)`,
        );
      }
      if (inputs) await recordInputs(audit, tx, caller, used, inputs, "execution");
      await record(tx, caller, "approval.used", used);
      return { outcome: "used", approval: used };
    },

    async requestFor(tx, request) {
      const { action, justification, case_id, requested_by, ttl_hours = TTL_HOURS } = request;
      checkRequest(request);
      const words = { action, justification, case_id };
      return findOrInsert(
        tx,
        {
          ...NOTHING,
          ...words,
          ...resolvePolicy(undefined, fourEyes),
          id: ids.next(),
          kind: "request",
          effect: [{ summary: action, sends: [] }],
          effect_hash: requestHashOf(words),
          requested_by,
          requesters: [requested_by],
          starters: [requested_by],
          ttl_hours,
        },
        async (found) =>
          found.status === "timeout" ? createApprovalsWriter(tx).resumeWaiting(found.id) : withoutPolicy(found),
      );
    },

    async endWait(tx, approval_id) {
      const writer = createApprovalsWriter(tx);
      const ended = isUuid(approval_id) ? await writer.endWaiting(approval_id) : undefined;
      if (ended) {
        await record(tx, ended.requested_by, "approval.wait_ended", ended);
        return ended;
      }
      const approval = await writer.find(approval_id);
      if (!approval) throw notFound("approval", approval_id);
      return withoutPolicy(approval);
    },

    async withdraw(tx, approval_id, by) {
      const ended = isUuid(approval_id) ? await createApprovalsWriter(tx).endWaiting(approval_id) : undefined;
      if (ended) await record(tx, by, "approval.withdrawn", ended);
    },

    async findShown(approval_id) {
      return (await createApprovalsWriter(db).find(approval_id))?.effect;
    },

    async requestStep(tx, request) {
      const { key, started_with, ttl_hours = TTL_HOURS, policy: own, ...asked } = request;
      checkRequest(request);
      const first = started_with ? await createApprovalsWriter(tx).find(started_with) : undefined;
      const policy = own ?? first;
      const approval = await insert(tx, {
        ...NOTHING,
        ...asked,
        ...resolvePolicy(policy, fourEyes),
        id: ids.next(),
        kind: "step",
        requesters: listRequesters(asked.requested_by, asked.requesters),
        starters: listRequesters(asked.requested_by, asked.starters ?? asked.requesters),
        effect_hash: stepHashOf({ ...asked, key }),
        ttl_hours,
      });
      if (!approval) throw new Error("a step's approval was not stored");
      return approval;
    },
  };
  return gate;
}

/** Reports whether the approval is for a stored change; see `hold`. */
export function isHeldChange({ kind, parameters }: Pick<Approval, "kind" | "parameters">): boolean {
  return kind === "action" && typeof parameters.subject === "string" && typeof parameters.version === "string";
}

/** Returns the approved content once these inputs are set. */
export function toBound(approval: CurrentApproval, { parameters, effect, missing_inputs }: SetInputs): BoundInputs {
  return { parameters, effect, missing_inputs, effect_hash: effectHashOf({ ...approval, parameters, effect }) };
}

/** Records who set which inputs, with the decision or at the execution. */
export async function recordInputs(
  audit: Recorder,
  tx: Tx,
  actor: string,
  { id, playbook_id, requested_by }: Pick<Approval, "id" | "playbook_id" | "requested_by">,
  { inputs }: SetInputs,
  set_at: "decision" | "execution",
): Promise<void> {
  const details = { playbook_id, requested_by, inputs, set_at };
  await audit.record(tx, { actor, action: "approval.inputs_set", subject_type: "approval", subject_id: id, details });
}

function withoutPolicy(current: CurrentApproval): Approval {
  const { four_eyes: _, quorum: __, is_expired: ___, requesters: ____, starters: _____, ...approval } = current;
  return approval;
}

function checkRequest(request: Pick<AgentRequest, "action" | "justification" | "case_id" | "ttl_hours">): void {
  const { action, justification, case_id, ttl_hours = TTL_HOURS } = request;
  requireStorable({ action, justification });
  if (action.length < 1 || action.length > 500) {
    throw invalidField("action", "must be a text of 1 to 500 characters");
  }
  if (justification.length > 5000) {
    throw invalidField("justification", "must be a text of at most 5000 characters");
  }
  requireIds({ alert_id: null, case_id });
  if (!(ttl_hours > 0 && ttl_hours <= MAX_TTL_HOURS)) {
    throw invalidField("ttl_hours", `must be more than 0 and at most ${MAX_TTL_HOURS}`);
  }
}

/** The database would fail for text that is not a UUID. */
function requireIds({ alert_id, case_id }: Pick<Approval, "alert_id" | "case_id">): void {
  if (alert_id !== null && !isUuid(alert_id)) throw notFound("alert", alert_id);
  if (case_id !== null && !isUuid(case_id)) throw notFound("case", case_id);
}

/**
 * Reports whether the approval is for another playbook. Callers get the same answer as for an approval that does not
 * exist or that their sites hide.
 */
function isForeign({ kind, playbook_id }: Approval, use: Pick<ApprovalUse, "kind" | "playbook_id">): boolean {
  return kind !== use.kind || playbook_id !== use.playbook_id;
}

function foreign({ approval_id, kind }: Pick<ApprovalUse, "approval_id" | "kind">): Problem {
  return new Problem("conflict", `approval_id: '${approval_id}' is not an approval for this ${kind}`);
}

/**
 * Returns the fields that the repeated call names; approved values apply to omitted fields and parameters. An input
 * that the approval lacks is not approved and not compared.
 */
function toReplayBody(
  { parameters = {}, alert_id, case_id }: ApprovalUse,
  { parameters: approved, missing_inputs }: Pick<Approval, "parameters" | "missing_inputs">,
) {
  const compared = Object.entries(parameters).filter(([name]) => !missing_inputs.some((input) => input.name === name));
  return {
    parameters: { ...approved, ...Object.fromEntries(compared) },
    ...(alert_id !== undefined && { alert_id }),
    ...(case_id !== undefined && { case_id }),
  };
}

/** Explains why an approval could not be consumed, or returns the execution that consumed it. */
function toUseOutcome(approval: CurrentApproval | undefined, use: ApprovalUse): ApprovalUseOutcome {
  if (!approval || isForeign(approval, use)) throw foreign(use);
  const { id, status, execution_id, effect_hash, playbook_version, is_expired } = approval;
  if (effectHashOf({ ...approval, ...toReplayBody(use, approval) }) !== effect_hash) {
    throw new Problem("conflict", `approval_id: '${id}' was granted for another body`);
  }
  if (execution_id !== null) return { outcome: "before", execution_id };
  if (status === "rejected") throw new Problem("conflict", `approval_id: '${id}' was rejected`);
  if (status === "timeout" || is_expired) throw new Problem("conflict", `approval_id: '${id}' has expired`);
  if (playbook_version !== use.playbook_version) {
    throw new Problem(
      "conflict",
      `approval_id: '${id}' is for version ${playbook_version} of the playbook, which has changed since`,
    );
  }
  if (status === "pending") return { outcome: "pending", approval: withoutPolicy(approval) };
  if (use.effect && effectHashOf({ ...approval, effect: use.effect }) !== effect_hash) {
    throw new Problem("conflict", `approval_id: '${id}' was granted for another effect: the effect has changed since`);
  }
  throw new Problem("conflict", `approval_id: '${id}' could not be used; try again`);
}

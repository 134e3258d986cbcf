import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, isCallerAllowed, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { changesBetween, formatChanges, shorten } from "../../foundation/records/field-changes.ts";
import { updatedAt } from "../../foundation/records/if-match.ts";
import type { Case } from "./case.ts";
import { createCasesStore } from "./cases.store.ts";
import { followSla } from "./follow-sla.ts";

/** A decision about an approval. */
export interface Decision {
  id: string;
  case_id: string;
  action: string;
  status: "approved" | "rejected";
}

export function createCaseDecisionsService({ audit, clock }: { audit: Recorder; clock: Pick<Clock, "now"> }) {
  /** Locks the case, or the case that it was merged into; undefined if it was deleted or is in another scope. */
  async function lock(tx: Tx, scope: Scope, case_id: string): Promise<Case | undefined> {
    const store = createCasesStore(tx);
    const found = await store.lock(scope, case_id);
    return found && found.merged_into !== null ? store.lock(scope, found.merged_into) : found;
  }

  return {
    /** Records the decision in the timeline and ends the wait of a case for this approval. */
    async follow(tx: Tx, caller: Caller, { id, case_id, action, status: decision }: Decision): Promise<void> {
      const current = await lock(tx, toScope(caller), case_id);
      if (!current) return;
      const decided = `approval ${id} ${decision}: ${shorten(action)}`;
      const entry = { agent: caller.username, timestamp: clock.now() };
      const store = createCasesStore(tx);
      if (current.status !== "pending_approval") {
        return store.addToTimeline(current.id, { ...entry, action: decided });
      }
      const status = decision === "approved" ? "investigating" : "open";
      const moved: Case = { ...current, status, updated_at: updatedAt(current, clock.now()) };
      const changes = changesBetween(current, moved, ["status"]);
      await store.update({ ...moved, sla: await followSla(tx, current, moved) });
      await store.addToTimeline(current.id, { ...entry, action: `${decided}; ${formatChanges(changes)}` });
      await audit.record(tx, {
        actor: caller.username,
        action: "case.updated",
        subject_type: "case",
        subject_id: current.id,
        details: { changes, approval_id: id },
      });
    },
  };
}

/** Finds an open approval for one of the cases. */
export type FindOpenApproval = (tx: Tx, case_ids: readonly string[]) => Promise<string | undefined>;

/** Throws unless the caller has approvals:manage or the cases have no open approval. */
export async function requireNoOpenApproval(
  tx: Tx,
  caller: Caller,
  {
    field,
    case_ids,
    findOpenApproval,
  }: { field: string; case_ids: readonly string[]; findOpenApproval?: FindOpenApproval | undefined },
): Promise<void> {
  if (isCallerAllowed(caller, ["approvals:manage"])) return;
  const id = await findOpenApproval?.(tx, case_ids);
  if (id === undefined) return;
  const message = `${field}: approval '${id}' of the case is still open and must be decided first`;
  throw new Problem("conflict", message, { field });
}

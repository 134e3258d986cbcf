import type { Clock } from "@kit/clock";
import type { Effect } from "../../foundation/actions/action.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Playbook } from "../playbooks/playbook.ts";
import {
  type Approval,
  type ApprovalRow,
  effectHashOf,
  listRequesters,
  MAX_TTL_HOURS,
  resolvePolicy,
} from "./approval.ts";

/** A playbook start that waits for an approval. */
type DemoStart = Pick<Approval, "alert_id" | "case_id" | "parameters"> & { playbook_id: string; actor: string };

/** The effect of the playbook on this platform. */
type DemoEffect = Pick<Approval, "parameters"> & { playbook: Playbook; effect: Effect[] };

export type DescribeDemo = (tx: Tx, start: DemoStart) => Promise<DemoEffect>;

export interface DemoApprovalsDeps {
  describe: (start: DemoStart) => Promise<DemoEffect>;
  fourEyes: boolean;
  clock: Pick<Clock, "now">;
}

const HOUR_MS = 3_600_000;

/**
 * Builds the rows of the showcase's approvals. A pending approval is bound to the effect of its playbook on this
 * platform, so that it can be decided and used, and stays open for the maximum lifetime.
 */
export function createDemoApprovals({ describe, fourEyes, clock }: DemoApprovalsDeps) {
  return async (approval: Approval): Promise<ApprovalRow> => {
    const { status, playbook_id, requested_by: actor, alert_id, case_id } = approval;
    if (status !== "pending" || playbook_id === null) {
      return { ...approval, ...resolvePolicy(undefined, fourEyes), requesters: [actor], starters: [actor], site: null };
    }
    const asked = { playbook_id, actor, alert_id, case_id, parameters: approval.parameters };
    const { playbook, parameters, effect } = await describe(asked);
    const requesters = listRequesters(actor, [playbook.updated_by]);
    const bound = { ...approval, playbook_version: playbook.version, parameters, effect, requesters };
    return {
      ...bound,
      starters: [actor],
      site: null,
      ...resolvePolicy(playbook.approval ?? undefined, fourEyes),
      effect_hash: effectHashOf(bound),
      expires_at: new Date(clock.now().getTime() + MAX_TTL_HOURS * HOUR_MS),
    };
  };
}

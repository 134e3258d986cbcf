import { createMetricsStore } from "../detection/runs/metrics.store.ts";
import type { Caller } from "../foundation/caller/caller.ts";
import type { Db } from "../foundation/database/tables.ts";
import { DAY_MS, NOTHING_ELSE, type OtherCounts } from "../reporting/stats/stats.ts";
import type { Approval } from "../response/approvals/approval.ts";
import { createApprovalsStore } from "../response/approvals/approvals.store.ts";
import type { EndpointRow } from "../response/edr/endpoint.ts";
import { createEndpointsStore } from "../response/edr/endpoints.store.ts";
import type { ShowcaseDetections } from "../showcase/showcase-detections.ts";

/** Whose eyes are needed to count all rules. */
const EVERYBODY: Caller = { kind: "user", username: "stats", role: "admin" };

/** What the other features count of their own, in one transaction with the rest. Agents and devices come with their features. */
export async function countOthers(tx: Db, now: Date): Promise<OtherCounts> {
  const { total: approvals_pending } = await createApprovalsStore(tx).list({ limit: 1 });
  const { total, isolated } = await createEndpointsStore(tx).counts(now);
  const { total_rules: rules, runs_24h, matches_24h } = await createMetricsStore(tx).read(EVERYBODY, now);
  return {
    ...NOTHING_ELSE,
    approvals_pending,
    endpoints: { total, isolated },
    detections: { rules, runs_24h, matches_24h },
  };
}

export interface ToldElsewhere {
  approvals: readonly Approval[];
  edr: { endpoints: readonly EndpointRow[] };
  detections: Pick<ShowcaseDetections, "rules" | "runs" | "matches">;
}

export function otherCountsOf({ approvals, edr, detections }: ToldElsewhere, now: Date): OtherCounts {
  const isRecent = (at: Date) => now.getTime() - at.getTime() < DAY_MS;
  return {
    ...NOTHING_ELSE,
    approvals_pending: approvals.filter(({ status }) => status === "pending").length,
    endpoints: {
      total: edr.endpoints.length,
      isolated: edr.endpoints.filter(({ reported }) => reported === "isolated").length,
    },
    detections: {
      rules: detections.rules.length,
      runs_24h: detections.runs.filter(({ started_at }) => isRecent(started_at)).length,
      matches_24h: detections.matches.filter(({ matched_at }) => isRecent(matched_at)).length,
    },
  };
}

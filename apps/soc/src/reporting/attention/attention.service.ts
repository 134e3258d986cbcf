import type { Clock } from "@kit/clock";
import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import type { AlertSummariesService } from "../../alerts/module.ts";
import type { CasesService, InboxService } from "../../cases/module.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import type { ApprovalsService } from "../../response/module.ts";
import { createPartReader, type PartAccess } from "../pages/page-parts.ts";
import type { AttentionBody } from "./attention.schema.ts";
import { ATTENTION_DAYS, LEAST_SEVERITY, OPEN_ALERTS, OPEN_CASES } from "./attention-filter.schema.ts";

export interface AttentionServiceDeps {
  summaries: Pick<AlertSummariesService, "summarise">;
  cases: Pick<CasesService, "list">;
  approvals: Pick<ApprovalsService, "listDecidable">;
  inbox: Pick<InboxService, "countUnread">;
  clock: Pick<Clock, "deadline" | "now">;
}
export type AttentionService = ReturnType<typeof createAttentionService>;

const ACCESS = {
  alerts: { needs: ["alerts:read"], byKey: true, bySite: true },
  cases: { needs: ["cases:read"], byKey: true, bySite: true },
  approvals: { needs: ["approvals:manage"], byKey: false, bySite: true },
  inbox: { needs: [], byKey: false, bySite: true },
} as const satisfies Record<string, PartAccess>;

const DEADLINE_MS = 1500;
const DAY_MS = 24 * 60 * 60_000;
const MAX_APPROVALS = 200;
/** An assignee filter for records without one. */
const NONE = "none";
const SEVERE_ENOUGH = SEVERITIES.slice(0, SEVERITIES.indexOf(LEAST_SEVERITY) + 1);

/** The one definition of what needs the attention of a person. All pages of the console show these counts. */
export function createAttentionService({ summaries, cases, approvals, inbox, clock }: AttentionServiceDeps) {
  async function countAlerts(caller: Caller) {
    const { total, facets, is_estimate, is_partial } = await summaries.summarise(caller, {
      status: [...OPEN_ALERTS],
      assignee: [NONE, caller.username],
      severity: SEVERE_ENOUGH,
      from: new Date(clock.now().getTime() - ATTENTION_DAYS * DAY_MS).toISOString(),
      fields: ["assignee", "severity"],
    });
    const count = (values: readonly { value: string | null; count: number }[] | undefined, wanted: string | null) =>
      values?.find(({ value }) => value === wanted)?.count ?? 0;
    const by_severity = {
      critical: count(facets.severity, "critical"),
      high: count(facets.severity, "high"),
      medium: count(facets.severity, "medium"),
      low: count(facets.severity, "low"),
    };
    const unassigned = count(facets.assignee, null);
    const mine = count(facets.assignee, caller.username);
    return { total, unassigned, mine, by_severity, is_estimate: is_estimate || is_partial };
  }

  async function countCases(caller: Caller) {
    const [unassigned, mine] = await Promise.all(
      [NONE, caller.username].map(
        async (name) =>
          (await cases.list(toScope(caller), { status: [...OPEN_CASES], assignee: [name], limit: 1 })).total,
      ),
    );
    return { unassigned: unassigned ?? 0, mine: mine ?? 0, total: (unassigned ?? 0) + (mine ?? 0) };
  }

  async function countApprovals(caller: Caller) {
    const { items, total } = await approvals.listDecidable(caller, { limit: MAX_APPROVALS });
    const ends = items.map(({ expires_at }) => expires_at.getTime());
    return { total, next_expires_at: ends.length === 0 ? null : new Date(Math.min(...ends)) };
  }

  return {
    async read(caller: Caller): Promise<AttentionBody> {
      const parts = createPartReader(caller, clock, DEADLINE_MS);
      const [ofAlerts, ofCases, ofApprovals, ofInbox] = await Promise.all([
        parts.read("alerts", ACCESS.alerts, () => countAlerts(caller)),
        parts.read("cases", ACCESS.cases, () => countCases(caller)),
        parts.read("approvals", ACCESS.approvals, () => countApprovals(caller)),
        parts.read("inbox", ACCESS.inbox, async () => ({ unread: (await inbox.countUnread(caller)).unread })),
      ]);
      return { alerts: ofAlerts, cases: ofCases, approvals: ofApprovals, inbox: ofInbox, ...parts.coverage() };
    },
  };
}

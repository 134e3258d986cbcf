import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { BulkRecorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { RulesService } from "../rules/rules.service.ts";
import type { CreateFeedbackRequest, ListFeedbackQuery, Verdict } from "./feedback.schema.ts";
import { createFeedbackWriter, type FeedbackStore } from "./feedback.store.ts";
import type { Feedback } from "./feedback.ts";

export interface VerdictsDeps {
  audit: BulkRecorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}

/** Separate from the feedback service, because the alerts feature is created before the rules feature. */
export function createVerdicts({ audit, clock, ids }: VerdictsDeps) {
  async function addAll(
    tx: Tx,
    caller: Caller,
    requests: readonly (CreateFeedbackRequest & { rule_id: string })[],
  ): Promise<Feedback[]> {
    requireStorable(requests);
    const created_at = clock.now();
    const given = requests.map(
      (request): Feedback => ({
        id: ids.next(),
        rule_id: request.rule_id,
        verdict: request.verdict,
        alert_id: request.alert_id?.toLowerCase() ?? null,
        case_id: request.case_id?.toLowerCase() ?? null,
        siem_log_id: request.siem_log_id ?? null,
        notes: request.notes ?? "",
        metadata: request.metadata ?? {},
        created_by: caller.username,
        created_at,
      }),
    );
    await createFeedbackWriter(tx).insert(given);
    await audit.recordAll(
      tx,
      given.map(({ id, rule_id, verdict, alert_id, case_id, siem_log_id }) => ({
        actor: caller.username,
        action: "feedback.created",
        subject_type: "feedback",
        subject_id: id,
        details: { rule_id, verdict, alert_id, case_id, siem_log_id },
      })),
    );
    return given;
  }

  return {
    async add(tx: Tx, caller: Caller, rule_id: string, request: CreateFeedbackRequest): Promise<Feedback> {
      const [feedback] = await addAll(tx, caller, [{ ...request, rule_id }]);
      if (!feedback) throw new Error("a request adds exactly one feedback");
      return feedback;
    },

    /** A verdict on an alert is also feedback on the rule that raised it. At most 1,000 alerts. */
    async recordVerdicts(tx: Tx, caller: Caller, alerts: readonly JudgedAlert[]): Promise<void> {
      const named = alerts.flatMap(({ id: alert_id, rule_id, case_id, verdict }) =>
        rule_id === null || verdict === null || !isUuid(rule_id) ? [] : [{ alert_id, rule_id, case_id, verdict }],
      );
      if (named.length === 0) return;
      const known = await createFeedbackWriter(tx).findRules(named.map(({ rule_id }) => rule_id));
      await addAll(
        tx,
        caller,
        named.filter(({ rule_id }) => known.has(rule_id.toLowerCase())),
      );
    },
  };
}

export interface JudgedAlert {
  id: string;
  rule_id: string | null;
  case_id: string | null;
  verdict: Verdict | null;
}

export interface FeedbackServiceDeps extends VerdictsDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: FeedbackStore; showcase: FeedbackStore };
  rules: Pick<RulesService, "get" | "getWithin">;
}
export type FeedbackService = ReturnType<typeof createFeedbackService>;

export function createFeedbackService({ runtime, stores, rules, audit, clock, ids }: FeedbackServiceDeps) {
  const verdicts = createVerdicts({ audit, clock, ids });
  return {
    async list(caller: Caller, rule_id: string, query: ListFeedbackQuery): Promise<Page<Feedback>> {
      const { id } = await rules.get(caller, rule_id);
      return (await runtime.choose(stores)).list(id, query);
    },

    async create(tx: Tx, caller: Caller, rule_id: string, request: CreateFeedbackRequest): Promise<Feedback> {
      const { id } = await rules.getWithin(tx, caller, rule_id);
      return verdicts.add(tx, caller, id, request);
    },
  };
}

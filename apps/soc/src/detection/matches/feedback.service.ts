import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { isUuid } from "../../foundation/lists/uuid.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { RulesService } from "../rules/rules.service.ts";
import type { CreateFeedbackRequest, ListFeedbackQuery, Verdict } from "./feedback.schema.ts";
import { createFeedbackWriter, type FeedbackStore } from "./feedback.store.ts";
import type { Feedback } from "./feedback.ts";

export interface VerdictsDeps {
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}

/** Separate from the feedback service, because the alerts feature is created before the rules feature. */
export function createVerdicts({ audit, clock, ids }: VerdictsDeps) {
  async function add(tx: Tx, caller: Caller, rule_id: string, request: CreateFeedbackRequest): Promise<Feedback> {
    requireStorable(request);
    const feedback: Feedback = {
      id: ids.next(),
      rule_id,
      verdict: request.verdict,
      alert_id: request.alert_id?.toLowerCase() ?? null,
      case_id: request.case_id?.toLowerCase() ?? null,
      siem_log_id: request.siem_log_id ?? null,
      notes: request.notes ?? "",
      metadata: request.metadata ?? {},
      created_by: caller.username,
      created_at: clock.now(),
    };
    await createFeedbackWriter(tx).insert(feedback);
    const { id, verdict, alert_id, case_id, siem_log_id } = feedback;
    await audit.record(tx, {
      actor: caller.username,
      action: "feedback.created",
      subject_type: "feedback",
      subject_id: id,
      details: { rule_id, verdict, alert_id, case_id, siem_log_id },
    });
    return feedback;
  }

  return {
    add,

    /** A verdict on an alert is also feedback on the rule that raised it. */
    async recordVerdict(
      tx: Tx,
      caller: Caller,
      alert: { id: string; rule_id: string | null; case_id: string | null; verdict: Verdict | null },
    ): Promise<void> {
      const { id: alert_id, rule_id, case_id, verdict } = alert;
      if (rule_id === null || verdict === null || !isUuid(rule_id)) return;
      if (!(await createFeedbackWriter(tx).isRule(rule_id))) return;
      await add(tx, caller, rule_id, { verdict, alert_id, case_id });
    },
  };
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

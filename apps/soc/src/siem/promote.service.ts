import { notFound, Problem } from "@kit/problem";
import type { Alert, NewAlert } from "../alerts/alert.ts";
import type { AlertChanges } from "../alerts/alert-changes.service.ts";
import type { AlertsService, CaseOfAlert } from "../alerts/alerts.service.ts";
import type { Recorder } from "../audit/audit.service.ts";
import { isCallerAllowed } from "../auth/caller.ts";
import type { Caller } from "../auth/tokens.ts";
import type { Tx } from "../runtime/changes.service.ts";
import type { Log } from "./log.ts";
import type { LogsService } from "./logs.service.ts";
import type { PromoteLogRequest } from "./promote.schema.ts";
import { reportOf } from "./promotion.ts";

/** What keeps a rule quiet about some events. */
export interface ActiveSuppressions {
  /** The suppression of this rule that is active now and matches the log. */
  findActive(rule_id: string, log: Log): Promise<{ id: string; name: string } | undefined>;
}

export interface RulesOfPromotions {
  /** What an alert of this rule says about the log; undefined when the caller sees no such rule. */
  findReport(caller: Caller, rule_id: string, log: Log): Promise<NewAlert | undefined>;
}

export interface PromoteServiceDeps {
  logs: Pick<LogsService, "get">;
  rules: RulesOfPromotions;
  suppressions: ActiveSuppressions;
  alerts: Pick<AlertsService, "create" | "promote">;
  stored: Pick<AlertChanges, "lockOne">;
  audit: Recorder;
}
export type PromoteService = ReturnType<typeof createPromoteService>;

export interface Promotion {
  log: Log;
  report: NewAlert;
  isCaseWanted: boolean;
}

export interface Promoted {
  alert: Alert;
  case: CaseOfAlert | null;
  isNew: boolean;
}

export function createPromoteService({ logs, rules, suppressions, alerts, stored, audit }: PromoteServiceDeps) {
  return {
    /** Finds out what is to be stored. No transaction waits for the log store. */
    async prepare(caller: Caller, log_id: string, request: PromoteLogRequest): Promise<Promotion> {
      const { create_case = false, rule_id } = request;
      if (create_case && !isCallerAllowed(caller, ["cases:write"])) {
        throw new Problem("forbidden", "create_case: needs the permission cases:write");
      }
      const log = await logs.get(log_id);
      if (rule_id === undefined || rule_id === null) {
        return { log, report: reportOf(log), isCaseWanted: create_case };
      }
      const report = await rules.findReport(caller, rule_id, log);
      if (!report) throw notFound("rule", rule_id);
      const suppression = await suppressions.findActive(rule_id, log);
      if (suppression) {
        throw new Problem("conflict", `rule_id: suppression '${suppression.name}' is active and matches this log`);
      }
      return { log, report: { ...report, rule_id, log_ids: [log.id] }, isCaseWanted: create_case };
    },

    /** All of it or nothing: an alert whose case is refused is not stored either. */
    async promote(tx: Tx, caller: Caller, { log, report, isCaseWanted }: Promotion): Promise<Promoted> {
      const { alert, isNew } = await alerts.create(tx, caller, report);
      const opened = isCaseWanted ? await alerts.promote(tx, caller, alert.id, {}) : null;
      await audit.record(tx, {
        actor: caller.username,
        action: "log.promoted",
        subject_type: "log",
        subject_id: log.id,
        details: { alert_id: alert.id, case_id: opened?.id ?? null, rule_id: report.rule_id ?? null },
      });
      return { alert: opened ? await stored.lockOne(tx, alert.id) : alert, case: opened, isNew };
    },
  };
}

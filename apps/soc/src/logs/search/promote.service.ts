import { notFound, Problem } from "@kit/problem";
import type { Alert, AlertChanges, AlertsService, CaseOfAlert, NewAlert } from "../../alerts/module.ts";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, isCallerAllowed, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogsService } from "./logs.service.ts";
import type { PromoteLogRequest } from "./promote.schema.ts";
import { buildReport } from "./promotion.ts";

/** Suppressions mute a rule for some events. */
export interface ActiveSuppressions {
  /** Returns the suppression of this rule that is active now and matches the log. */
  findActive(tx: Tx, rule_id: string, log: LogEvent): Promise<{ id: string; name: string } | undefined>;
}

/** Exceptions hide logs from rules. */
export interface ActiveExceptions {
  /** Returns the exception that is active now and hides the log from the rule. */
  findActive(tx: Tx, rule_id: string, log: LogEvent): Promise<{ id: string } | undefined>;
}

export interface RulesOfPromotions {
  /** Returns the alert that this rule creates for the log; undefined if the caller cannot see the rule. */
  findReport(caller: Caller, rule_id: string, log: LogEvent): Promise<NewAlert | undefined>;
}

/** The single entry point for matches: a rule reports a log once, whether a detection or a user found it. */
export interface MatchesOfPromotions {
  /** Retries the work, in a new transaction each time, while another process stores matches of the same rule. */
  retryWhileBusy<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns the alert with which this rule has already reported the log. */
  findAlert(tx: Tx, rule_id: string, log_id: string): Promise<string | undefined>;
  keep(tx: Tx, rule_id: string, log: LogEvent, alert_id: string): Promise<void>;
}

export interface PromoteServiceDeps {
  logs: Pick<LogsService, "get">;
  rules: RulesOfPromotions;
  suppressions: ActiveSuppressions;
  exceptions: ActiveExceptions;
  matches: MatchesOfPromotions;
  alerts: Pick<AlertsService, "create" | "promote">;
  stored: Pick<AlertChanges, "lockOne">;
  audit: Recorder;
}
export type PromoteService = ReturnType<typeof createPromoteService>;

export interface Promotion {
  log: LogEvent;
  report: NewAlert;
  isCaseWanted: boolean;
}

export interface PromoteResult {
  alert: Alert;
  case: CaseOfAlert | null;
  isNew: boolean;
}

export function createPromoteService(deps: PromoteServiceDeps) {
  const { logs, rules, suppressions, exceptions, matches, alerts, stored, audit } = deps;

  async function raise(tx: Tx, caller: Caller, log: LogEvent, report: NewAlert): Promise<Omit<PromoteResult, "case">> {
    const { rule_id } = report;
    if (rule_id === undefined) return alerts.create(tx, caller, report);
    const suppression = await suppressions.findActive(tx, rule_id, log);
    if (suppression) {
      throw new Problem("conflict", `rule_id: suppression '${suppression.name}' is active and matches this log`);
    }
    const exception = await exceptions.findActive(tx, rule_id, log);
    if (exception) {
      throw new Problem("conflict", `rule_id: exception '${exception.id}' is active and hides this log from the rule`);
    }
    const known = await matches.findAlert(tx, rule_id, log.id);
    if (known !== undefined) return { alert: await stored.lockOne(tx, toScope(caller), known), isNew: false };
    const raised = await alerts.create(tx, caller, report);
    await matches.keep(tx, rule_id, log, raised.alert.id);
    return raised;
  }

  return {
    retryWhileBusy: <Result>(work: () => Promise<Result>): Promise<Result> => matches.retryWhileBusy(work),

    /** Reads everything that is needed before the transaction, so that no transaction waits for the log store. */
    async prepare(caller: Caller, log_id: string, request: PromoteLogRequest): Promise<Promotion> {
      const { create_case = false, rule_id } = request;
      if (create_case && !isCallerAllowed(caller, ["cases:write"])) {
        throw new Problem("forbidden", "create_case: requires the permission cases:write");
      }
      // Rules, their suppressions and their matches cover all sites.
      if (caller.sites && rule_id) {
        throw new Problem("forbidden", "rule_id: requires access to all sites");
      }
      const log = await logs.get(toScope(caller), log_id);
      if (rule_id === undefined || rule_id === null) {
        return { log, report: buildReport(log), isCaseWanted: create_case };
      }
      const report = await rules.findReport(caller, rule_id, log);
      if (!report) throw notFound("rule", rule_id);
      return { log, report: { ...report, rule_id, log_ids: [log.id] }, isCaseWanted: create_case };
    },

    /** Atomic: if its case is refused, the alert is not stored either. */
    async promote(tx: Tx, caller: Caller, { log, report, isCaseWanted }: Promotion): Promise<PromoteResult> {
      const { alert, isNew } = await raise(tx, caller, log, report);
      const opened = isCaseWanted ? await alerts.promote(tx, caller, alert.id, {}) : null;
      await audit.record(tx, {
        actor: caller.username,
        action: "log.promoted",
        subject_type: "log",
        subject_id: log.id,
        details: { alert_id: alert.id, case_id: opened?.id ?? null, rule_id: report.rule_id ?? null },
      });
      return { alert: opened ? await stored.lockOne(tx, toScope(caller), alert.id) : alert, case: opened, isNew };
    },
  };
}

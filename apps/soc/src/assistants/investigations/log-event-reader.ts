import { Problem } from "@kit/problem";
import type { Condition } from "@kit/query/condition";
import type { Alert, AlertsService } from "../../alerts/module.ts";
import type { FeedbackService, MatchesListService } from "../../detection/module.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import { unifyAddress, unifyHost, unifyUser } from "../../foundation/records/entity-name.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { readFacts } from "./event-facts.ts";
import type { DeviceVerdict, EventReader, InvestigatedAlert, IocHit, Span } from "./event-reader.ts";
import {
  buildAddressCondition,
  buildImageCondition,
  buildProcessCondition,
  buildSessionCondition,
  buildUserCondition,
} from "./log-conditions.ts";
import { isAbout } from "./process-tree.ts";

/** Limited reads of logs by event time. */
export interface LogSearches {
  search(condition: Condition, span: Span, order: "newest" | "oldest", limit: number): Promise<LogEvent[]>;
  /** Reports whether a log meets the condition. */
  exists(condition: Condition, span: Span): Promise<boolean>;
  find(log_ids: readonly string[]): Promise<LogEvent[]>;
}

export interface LogEventReaderDeps {
  caller: Caller;
  logs: LogSearches;
  alerts: Pick<AlertsService, "list">;
  feedback: Pick<FeedbackService, "list">;
  matches: Pick<MatchesListService, "countDays">;
  /** Returns the values in these logs that are known indicators. */
  iocs: { findIn(logs: readonly LogEvent[]): Promise<string[]> };
  /** Undefined on platforms without device attestation. */
  devices?: { findVerdict(host: string): Promise<DeviceVerdict | undefined> };
}

const DAY_MS = 24 * 60 * 60_000;
const HISTORY_DAYS = 30;
/** Samples every sixth day: five short searches instead of one long one. */
const IMAGE_DAY_STEP = 6;
const MAX_ALERTS_PAGE = 200;

/** Reads for an investigation from the stores of the platform, with the caller's permissions. */
export function createLogEventReader(deps: LogEventReaderDeps): EventReader {
  const { caller, logs, alerts, feedback, matches, iocs, devices } = deps;

  /** Returns all events of the span; of too many, half before its middle and half after it. */
  async function around(condition: Condition, { from, to }: Span, limit: number): Promise<LogEvent[]> {
    const all = await logs.search(condition, { from, to }, "oldest", limit + 1);
    if (all.length <= limit) return all;
    const middle = new Date((from.getTime() + to.getTime()) / 2);
    const half = Math.ceil(limit / 2);
    const before = await logs.search(condition, { from, to: middle }, "newest", half);
    const after = await logs.search(condition, { from: middle, to }, "oldest", half);
    return [...before.toReversed(), ...after];
  }

  async function countFeedback(rule_id: string, verdict: "true_positive" | "false_positive"): Promise<number> {
    return (await feedback.list(caller, rule_id, { verdict, limit: 1 })).total;
  }

  return {
    find: (log_ids) => logs.find(log_ids),

    async ofProcess(process, span, limit) {
      const found = await around(buildProcessCondition(process), span, limit);
      return found.filter((log) => isAbout(readFacts(log), process));
    },

    ofSession: (session, span, limit) => around(buildSessionCondition(session), span, limit),
    ofUser: (user, span, limit) => around(buildUserCondition(unifyUser(user)), span, limit),
    ofAddress: (address, span, limit) => around(buildAddressCondition(unifyAddress(address)), span, limit),

    async alertsOn(host, { from, to }, limit) {
      // Alerts are listed by arrival time, which a slow sender delays.
      const { items } = await alerts.list(toScope(caller), {
        host: [host],
        from: from.toISOString(),
        to: new Date(to.getTime() + DAY_MS).toISOString(),
        limit: Math.min(limit, MAX_ALERTS_PAGE),
      });
      return items.filter((alert) => overlaps(alert, { from, to })).map(toInvestigatedAlert);
    },

    async ruleFeedback(rule_id) {
      try {
        return {
          true_positives: await countFeedback(rule_id, "true_positive"),
          false_positives: await countFeedback(rule_id, "false_positive"),
        };
      } catch (error) {
        // A deleted rule, or one that is not shared with the caller, has no record.
        if (error instanceof Problem && error.kind === "not_found") return { true_positives: 0, false_positives: 0 };
        throw error;
      }
    },

    async ruleDayShares(rule_ids, until) {
      const days = await matches.countDays(rule_ids, new Date(until.getTime() - HISTORY_DAYS * DAY_MS), until);
      return new Map([...days].map(([rule_id, count]) => [rule_id, Math.min(1, count / HISTORY_DAYS)]));
    },

    async imageDayShare(image, until) {
      const condition = buildImageCondition(image);
      let days = 0;
      for (let day = 1; day <= HISTORY_DAYS; day += IMAGE_DAY_STEP) {
        const from = new Date(until.getTime() - day * DAY_MS);
        if (await logs.exists(condition, { from, to: new Date(from.getTime() + DAY_MS) })) days += 1;
      }
      return days / Math.ceil(HISTORY_DAYS / IMAGE_DAY_STEP);
    },

    async iocHits(of, limit) {
      const values = await iocs.findIn(of);
      return of.flatMap((log) => findValues(log, values)).slice(0, limit);
    },

    deviceVerdict: async (host) => devices?.findVerdict(host),
  };
}

function findValues(log: LogEvent, values: readonly string[]): IocHit[] {
  const text = JSON.stringify(log).toLowerCase();
  return values.filter((value) => text.includes(value.toLowerCase())).map((value) => ({ log_id: log.id, value }));
}

/** Compares the times of its events; without them the arrival time counts, which the list has compared. */
function overlaps({ event_first_at, event_last_at }: Alert, { from, to }: Span): boolean {
  return (event_first_at ?? from) < to && (event_last_at ?? from) >= from;
}

/** Tags of Sigma rules name tactics as attack.credential-access, besides techniques, groups and software. */
const TACTIC_TAG = /^attack\.(?!(?:t|g|s|ds)\d)([a-z_-]+)$/;

export function toInvestigatedAlert(alert: Alert): InvestigatedAlert {
  const { id, title, rule_id, severity, mitre_techniques, tags, log_ids, host } = alert;
  const tactics = tags.flatMap((tag) => TACTIC_TAG.exec(tag)?.[1]?.replaceAll("_", "-") ?? []);
  return { id, title, rule_id, severity, mitre_techniques, tactics, log_ids, host: host && unifyHost(host) };
}

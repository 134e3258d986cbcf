import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { AlertsService } from "../../alerts/module.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { createExceptionsWriter } from "../exceptions/exceptions.store.ts";
import { type ExceptedLog, type Execution, type Finding, type Member, RUN_LIMITS } from "../matches/finding.ts";
import {
  type AlertDraft,
  buildCappedReport,
  buildReports,
  collectMembers,
  type MatchRow,
  roomForMatches,
  TOO_MANY_AN_HOUR,
  whyCapped,
  whyNotStored,
} from "../matches/match.ts";
import { createMatchesWriter } from "../matches/matches.store.ts";
import type { RuleRow } from "../rules/rule.ts";
import { createSuppressor } from "../suppressions/suppression.ts";
import { createSuppressionsStore } from "../suppressions/suppressions.store.ts";

export interface KnownIocs {
  /** The values in these logs that are known indicators. */
  findIn(tx: Tx, logs: readonly LogEvent[]): Promise<string[]>;
}

export interface MatchesServiceDeps {
  alerts: Pick<AlertsService, "create" | "promote" | "lockRepeated">;
  iocs: KnownIocs;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type MatchesService = ReturnType<typeof createMatchesService>;

/** The result of storing the findings of a rule. */
export interface StoreResult {
  match_count: number;
  suppressed_count: number;
  new_match_count: number;
  alert_ids: string[];
  /** One alert represents all alerts that would have been raised. */
  isCapped: boolean;
  /** The logs that are not suppressed, newest first. */
  shown: LogEvent[];
}

/**
 * The only path from findings to alerts: manual runs, schedule, stream and backfills all use it. Idempotent: a log that
 * the rule has already matched raises nothing again. Throws `RuleBusy` while another transaction stores matches of the
 * same rule; see `retryWhileBusy`.
 */
export function createMatchesService({ alerts, iocs, clock, ids }: MatchesServiceDeps) {
  async function withIocs(tx: Tx, draft: AlertDraft): Promise<AlertDraft> {
    const known = await iocs.findIn(tx, draft.logs);
    return { ...draft, report: { ...draft.report, iocs: [...new Set(known)] } };
  }

  async function raise(tx: Tx, caller: Caller, rule: RuleRow, { report }: AlertDraft): Promise<AlertResult> {
    const { alert, isNew } = await alerts.create(tx, caller, report);
    if (rule.auto_create_case && alert.case_id === null && alert.status === "new") {
      await alerts.promote(tx, caller, alert.id, {});
    }
    return { alert_id: alert.id, isNew };
  }

  /** Raises each draft until the rule reaches its hourly limit, then one alert for the rest. */
  async function raiseAll(
    tx: Tx,
    caller: Caller,
    rule: RuleRow,
    built: readonly AlertDraft[],
    raisedInHour: number,
  ): Promise<AllRaised> {
    const all: AllRaised = { alertIdByLog: new Map(), alert_ids: [], newCount: 0, isCut: false };
    if (built.length === 0) return all;
    const drafts: AlertDraft[] = [];
    for (const each of built) drafts.push(await withIocs(tx, each));
    // Locks in id order, as changes by users do, to avoid deadlocks: the drafts are in title order.
    await alerts.lockRepeated(
      tx,
      drafts.map(({ report }) => report),
    );
    const left = RUN_LIMITS.alertsAnHour - raisedInHour;
    for (const [place, each] of drafts.entries()) {
      all.isCut = all.newCount >= left;
      const draft = all.isCut ? buildCappedReport(rule, collectMembers(drafts.slice(place)), TOO_MANY_AN_HOUR) : each;
      addRaised(all, draft, await raise(tx, caller, rule, draft));
      if (all.isCut) break;
    }
    return all;
  }

  /**
   * Counts each log that exceptions hide once per rule. For a rule on single logs they are stored like its matches; a
   * rule with groups reads each window once.
   */
  async function storeExcepted(tx: Tx, rule: RuleRow, excepted: readonly ExceptedLog[], stored: ExceptedParts) {
    const writer = createMatchesWriter(tx);
    const isSingle = rule.type === "query";
    const known = isSingle
      ? await writer.findMatched(
          rule.id,
          excepted.map(({ log }) => log.id),
        )
      : new Set<string>();
    const fresh = excepted.filter(({ log }) => !known.has(log.id));
    const { run_id, matched_at, excepted: inHour } = stored;
    await writer.insert(
      (isSingle ? fresh.slice(0, roomForMatches(inHour)) : []).map(({ exception_id, log }) => ({
        ...buildMatch(rule, log, { run_id, matched_at }),
        exception_id,
      })),
    );
    const counts = new Map<string, number>();
    for (const { exception_id: id } of fresh) counts.set(id, (counts.get(id) ?? 0) + 1);
    await createExceptionsWriter(tx).addHidden(rule.id, counts, matched_at);
    return fresh.length;
  }

  function buildMatch(rule: RuleRow, member: Member, found: Pick<MatchRow, "run_id" | "matched_at">): MatchRow {
    return {
      id: ids.next(),
      rule_id: rule.id,
      rule_version: rule.version,
      log_id: member.id,
      log_ingested_at: new Date(member.ingested_at),
      ...found,
      alert_id: null,
      suppression_id: null,
      exception_id: null,
    };
  }

  return {
    async store(
      tx: Tx,
      caller: Caller,
      rule: RuleRow,
      execution: Execution,
      run_id: string | null,
    ): Promise<StoreResult> {
      const writer = createMatchesWriter(tx);
      await writer.requireRule(rule.id);
      const matched_at = clock.now();
      const suppressions = await createSuppressionsStore(tx).listActive(rule.id, matched_at);
      const { open, found } = sorted(execution.findings, createSuppressor(suppressions));
      const known = await writer.findMatched(rule.id, [...found.keys()]);
      const isNew = (log_id: string) => !known.has(log_id);
      const inHour = await writer.countRaised(rule.id, matched_at);
      const all = [...found.values()].filter(({ member }) => isNew(member.id));
      // The only limit on stored matches: runs, stream and shared scans all pass here. Suppressed ones come last.
      const openFirst = all.toSorted((a, b) => Number(a.suppression_id !== null) - Number(b.suppression_id !== null));
      const fresh = openFirst.slice(0, roomForMatches(inHour.matches));
      const limited = fresh.length < all.length ? limitExecution(execution, all.length, fresh.length) : execution;
      const { drafts, isCapped } = buildAlertDrafts(rule, withOnly(open, isNew), limited);
      const { alertIdByLog, alert_ids, newCount, isCut } = await raiseAll(tx, caller, rule, drafts, inHour.alerts);
      await writer.insert(
        fresh.map(({ member, suppression_id }) => ({
          ...buildMatch(rule, member, { run_id, matched_at }),
          alert_id: suppression_id === null ? (alertIdByLog.get(member.id) ?? null) : null,
          suppression_id,
        })),
      );
      const suppressed = fresh.filter(({ suppression_id }) => suppression_id !== null).length;
      const { excepted: hidden = [] } = execution;
      const excepted = await storeExcepted(tx, rule, hidden, { ...inHour, run_id, matched_at });
      await writer.addCounts([
        { rule_id: rule.id, at: matched_at, runs: 0, matches: fresh.length, suppressed, excepted, alerts: newCount },
      ]);
      return {
        match_count: execution.total,
        suppressed_count: [...found.values()].filter(({ suppression_id }) => suppression_id !== null).length,
        new_match_count: fresh.length,
        alert_ids,
        isCapped: isCapped || isCut,
        shown: open.map(({ log }) => log),
      };
    },
  };
}

interface ExceptedParts extends Pick<MatchRow, "run_id" | "matched_at"> {
  /** How many logs exceptions have hidden from the rule in this hour. */
  excepted: number;
}

interface AlertResult {
  alert_id: string;
  /** There was no open alert with the same content. */
  isNew: boolean;
}

interface AllRaised {
  /** Alert ids by log id. */
  alertIdByLog: Map<string, string>;
  alert_ids: string[];
  newCount: number;
  /** The hourly limit was reached; one alert represents the rest. */
  isCut: boolean;
}

function addRaised(all: AllRaised, { members }: AlertDraft, { alert_id, isNew }: AlertResult): void {
  all.alert_ids.push(alert_id);
  if (isNew) all.newCount += 1;
  for (const { id } of members) all.alertIdByLog.set(id, alert_id);
}

interface MatchedMember {
  member: Member;
  suppression_id: string | null;
}

/** The findings that are not suppressed, and every matched log with the suppression that hides it. */
function sorted(
  findings: readonly Finding[],
  findHiding: ReturnType<typeof createSuppressor>,
): { open: Finding[]; found: Map<string, MatchedMember> } {
  const open: Finding[] = [];
  const found = new Map<string, MatchedMember>();
  for (const finding of findings) {
    const suppression_id = findHiding(finding.log)?.id ?? null;
    if (suppression_id === null) open.push(finding);
    for (const member of finding.members) {
      // A log of an open finding is not hidden because it is also part of a suppressed one.
      if (suppression_id === null || !found.has(member.id)) found.set(member.id, { member, suppression_id });
    }
  }
  return { open, found };
}

function limitExecution(execution: Execution, found: number, stored: number): Execution {
  return { ...execution, capped: execution.capped ?? whyNotStored(found, stored) };
}

/** Reduces the findings to their new logs. */
function withOnly(findings: readonly Finding[], isNew: (log_id: string) => boolean): Finding[] {
  return findings
    .map((finding) => ({ ...finding, members: finding.members.filter(({ id }) => isNew(id)) }))
    .filter(({ members }) => members.length > 0);
}

function buildAlertDrafts(
  rule: RuleRow,
  fresh: readonly Finding[],
  { capped, total, findings }: Execution,
): { drafts: AlertDraft[]; isCapped: boolean } {
  if (capped !== undefined) {
    const why = `${capped} (${total} were counted)`;
    // Without findings, repeats cannot be recognised, so the alert is raised each time.
    const isNew = fresh.length > 0 || findings.length === 0;
    return { drafts: isNew ? [buildCappedReport(rule, collectMembers(fresh), why)] : [], isCapped: true };
  }
  const drafts = buildReports(rule, fresh);
  const why = whyCapped(drafts);
  return why === undefined
    ? { drafts, isCapped: false }
    : {
        drafts: [buildCappedReport(rule, collectMembers(fresh), why)],
        isCapped: true,
      };
}

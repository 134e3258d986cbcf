import type { Static } from "typebox";
import type { NewAlert } from "../../casework/alerts/alert.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { LogEvent } from "../../logs/search/log.ts";
import type { RuleRow } from "../rules/rule.ts";
import { type Finding, type Member, RUN_LIMITS } from "./finding.ts";
import type { MatchBody } from "./matches.schema.ts";
import { oneLine, paragraphs, render } from "./templates.ts";

/** That a rule has found a log. There is one for each rule and log, however often it is found. */
export type Match = Static<typeof MatchBody>;
export type MatchRow = Omit<Match, "author" | "license">;

export const NEWEST_FIRST: Order<Match> = newestFirst("matched_at");

/** As whom rules work when nobody asked them to. */
export const DETECTIONS: Caller = { kind: "api_key", username: "detection", role: "agent" };

// The longest that an alert takes.
const TITLE = 500;
const DESCRIPTION = 20_000;
const SOURCE = 100;
const NAME = 255;
const LOG_IDS = 100;

/** What one alert tells: all findings of a rule with the same title. */
export interface AlertDraft {
  report: NewAlert;
  members: Member[];
  logs: LogEvent[];
}

/** One report for each title, in an order that is the same for everybody. */
export function buildReports(rule: RuleRow, findings: readonly Finding[]): AlertDraft[] {
  const byTitle = new Map<string, Finding[]>();
  for (const finding of findings) {
    const title = renderTitle(rule, finding.log);
    const drafts = byTitle.get(title);
    if (drafts) drafts.push(finding);
    else byTitle.set(title, [finding]);
  }
  return [...byTitle]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([title, those]) => {
      const [first] = those;
      if (!first) return [];
      const report = buildReport(rule, title, first, those);
      return [{ report, members: collectMembers(those), logs: those.map(({ log }) => log) }];
    });
}

function renderTitle(rule: RuleRow, log: LogEvent): string {
  return oneLine(render(rule.alert_title_template, rule, log), TITLE) ?? rule.name;
}

export function collectMembers(findings: readonly Pick<Finding, "members">[]): Member[] {
  return [...new Map(findings.flatMap(({ members }) => members).map((member) => [member.id, member])).values()];
}

/** What an alert of this rule says about an event. */
function buildReport(rule: RuleRow, title: string, { log }: Finding, findings: readonly Finding[]): NewAlert {
  const description = paragraphs(render(rule.alert_description_template, rule, log), DESCRIPTION);
  const { host, user, site } = log;
  return {
    ...toCommonFields(rule, collectMembers(findings)),
    title,
    ...optional("description", description),
    ...optional("host", sameIn(findings, "host", host, NAME)),
    ...optional("user", sameIn(findings, "user", user, NAME)),
    ...optional("site", sameIn(findings, "site", site, SOURCE)),
  };
}

export function buildSingleReport(rule: RuleRow, finding: Finding): NewAlert {
  return buildReport(rule, renderTitle(rule, finding.log), finding, [finding]);
}

/** One alert in place of all that a run would have raised. */
export function buildCappedReport(rule: RuleRow, members: Member[], why: string): AlertDraft {
  const report = {
    ...toCommonFields(rule, members),
    title: oneLine(`Rule '${rule.name}' finds too much and was capped`, TITLE) ?? rule.name,
    description: `One run of this rule was cut short: ${why}. This one alert stands for all of it. Narrow the rule, or suppress what is harmless.`,
  };
  return { report, members, logs: [] };
}

function toCommonFields(rule: RuleRow, members: readonly Member[]) {
  const { alert_severity: severity, mitre_techniques, id: rule_id } = rule;
  return {
    source: oneLine(rule.source ?? "", SOURCE) ?? "detection",
    severity,
    mitre_techniques,
    rule_id,
    tags: rule.tags,
    log_ids: members.slice(0, LOG_IDS).map(({ id }) => id),
    occurrence_count: Math.max(members.length, 1),
    ...optional("seen_at", seenAt(members)),
  };
}

/** When the newest of the logs came in. */
function seenAt(members: readonly Member[]): Date | undefined {
  const [newest] = members.map(({ ingested_at }) => ingested_at).toSorted((a, b) => (a < b ? 1 : -1));
  return newest === undefined ? undefined : new Date(newest);
}

/** An alert names a host only when all that it tells is of that host. */
function sameIn(findings: readonly Finding[], field: "host" | "user" | "site", text: string, maxLength: number) {
  return findings.every(({ log }) => log[field] === text) ? oneLine(text, maxLength) : undefined;
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : { [name]: value };
}

/** Why one alert stands for the rest: the rule has raised so many in this hour that nobody reads more. */
export const TOO_MANY_AN_HOUR = `it has raised ${RUN_LIMITS.alertsAnHour} alerts within the hour, and at most so many are raised`;

/** Why one alert stands for all of them; undefined when there are few enough. */
export function whyCapped(drafts: readonly AlertDraft[]): string | undefined {
  return drafts.length > RUN_LIMITS.alerts
    ? `it would have raised ${drafts.length} alerts, and at most ${RUN_LIMITS.alerts} are raised at once`
    : undefined;
}

import type { Static } from "typebox";
import {
  ALERT_LIMITS,
  countedLogs,
  findEntityName,
  findSite,
  type NewAlert,
  oneLine,
  paragraphs,
  sharedFields,
  unifyField,
} from "../../alerts/module.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { RuleRow } from "../rules/rule.ts";
import { type Finding, type Member, RUN_LIMITS } from "./finding.ts";
import type { MatchBody } from "./matches.schema.ts";
import { render } from "./templates.ts";

/** A rule's match on a log. There is one per rule and log, no matter how often it is found. */
export type Match = Static<typeof MatchBody>;
export type MatchRow = Omit<Match, "author" | "license">;

export const NEWEST_FIRST: Order<Match> = newestFirst("matched_at");

/** The caller of rules that run without a request. */
export const DETECTIONS: Caller = { kind: "api_key", username: "detection", role: "agent" };

/** One alert for all findings of a rule with the same title at the same site. */
export interface AlertDraft {
  report: NewAlert;
  members: Member[];
  logs: LogEvent[];
}

/** Builds one report per title and site, in a deterministic order. */
export function buildReports(rule: RuleRow, findings: readonly Finding[]): AlertDraft[] {
  const alike = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { log, members } = finding;
    const key = JSON.stringify([renderTitle(rule, finding), findSite([...members, log]) ?? ""]);
    const drafts = alike.get(key);
    if (drafts) drafts.push(finding);
    else alike.set(key, [finding]);
  }
  return [...alike]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, those]) => {
      const [first] = those;
      if (!first) return [];
      const title = renderTitle(rule, first);
      const report = buildReport(rule, title, first, those);
      return [{ report, members: collectMembers(those), logs: those.map(({ log }) => log) }];
    });
}

function renderTitle(rule: RuleRow, finding: Finding): string {
  const rendered = { log: finding.log, entity: nameEntity(finding) };
  return oneLine(render(rule.alert_title_template, rule, rendered), ALERT_LIMITS.title) ?? rule.name;
}

/** The entity of a finding: the rule's group, else the host, else the user, else the source. */
function nameEntity({ log, members, group }: Finding): string {
  if (!group) return findEntityName(members, log.source);
  const values = Object.entries(group).map(([field, value]) => unifyField(field, value));
  return values.join(", ");
}

export function collectMembers(findings: readonly Pick<Finding, "members">[]): Member[] {
  return [...new Map(findings.flatMap(({ members }) => members).map((member) => [member.id, member])).values()];
}

/** Builds the alert of this rule for an event. */
function buildReport(rule: RuleRow, title: string, first: Finding, findings: readonly Finding[]): NewAlert {
  const rendered = { log: first.log, entity: nameEntity(first) };
  const description = paragraphs(render(rule.alert_description_template, rule, rendered), ALERT_LIMITS.description);
  const members = collectMembers(findings);
  return {
    ...toCommonFields(rule, members),
    title,
    ...optional("description", description),
    ...sharedFields(
      members,
      findings.map(({ log }) => log),
    ),
    ...optional("group", findSharedGroup(findings)),
  };
}

/** A title without the group's values may cover several groups; the alert then names none. */
function findSharedGroup(findings: readonly Finding[]): Record<string, string> | undefined {
  const [first] = findings;
  const key = JSON.stringify(first?.group);
  return first?.group && findings.every(({ group }) => JSON.stringify(group) === key)
    ? Object.fromEntries(Object.entries(first.group).map(([field, value]) => [field, toGroupValue(value)]))
    : undefined;
}

function toGroupValue(value: string): string {
  return oneLine(value, ALERT_LIMITS.name) ?? "";
}

export function buildSingleReport(rule: RuleRow, finding: Finding): NewAlert {
  return buildReport(rule, renderTitle(rule, finding), finding, [finding]);
}

/** One alert that replaces all alerts of a run. */
export function buildCappedReport(rule: RuleRow, members: Member[], why: string): AlertDraft {
  const report = {
    ...toCommonFields(rule, members),
    title: oneLine(`Rule '${rule.name}' finds too much and was capped`, ALERT_LIMITS.title) ?? rule.name,
    description: `One run of this rule was capped: ${why}. This alert represents all of its matches. Narrow the rule, or suppress harmless events.`,
  };
  return { report, members, logs: [] };
}

function toCommonFields(rule: RuleRow, members: readonly Member[]) {
  const { alert_severity: severity, mitre_techniques, id: rule_id } = rule;
  return {
    source: oneLine(rule.source ?? "", ALERT_LIMITS.source) ?? "detection",
    severity,
    mitre_techniques,
    rule_id,
    tags: rule.tags,
    ...countedLogs(members),
  };
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : { [name]: value };
}

/** The reason for one alert that represents the rest: the rule has reached its hourly limit of alerts. */
export const TOO_MANY_AN_HOUR = `it has raised ${RUN_LIMITS.alertsAnHour} alerts within the hour, which is the limit`;

/** Why one alert must represent all drafts; undefined if there are few enough. */
export function whyCapped(drafts: readonly AlertDraft[]): string | undefined {
  return drafts.length > RUN_LIMITS.alerts
    ? `it would have raised ${drafts.length} alerts, and one run raises at most ${RUN_LIMITS.alerts}`
    : undefined;
}

/** How many of a rule's matches may be stored, given the number already stored in this hour. */
export function roomForMatches(storedInHour: number): number {
  return Math.max(0, Math.min(RUN_LIMITS.matches, RUN_LIMITS.matchesAnHour - storedInHour));
}

/** The reason for one alert that represents all: not all matches are stored. */
export function whyNotStored(found: number, stored: number): string {
  const { matches, matchesAnHour } = RUN_LIMITS;
  return `${found} logs match, of which ${stored} are stored as matches; the limits are ${matches} at a time and ${matchesAnHour} an hour`;
}

import { isDeepStrictEqual } from "node:util";
import { invalidField } from "@kit/problem";
import type { Condition } from "@kit/query/condition";
import { parseQuery } from "@kit/query/query";
import type { Static } from "typebox";
import { checkSharing } from "../../foundation/caller/sharing.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { toSql } from "../../logs/module.ts";
import { readSigma, type SigmaRule } from "../sigma/sigma.ts";
import { completeDetails } from "./rule-details.ts";
import type { CreateRuleRequest, RuleBody, RuleFilters, RuleSort, UpdateRuleRequest } from "./rules.schema.ts";
import { windowEndAfter } from "./schedule.ts";

/** A detection rule. */
export type Rule = Static<typeof RuleBody>;
/** The last and the next run of a rule, which are not part of its definition. */
export type RuleTimes = Pick<Rule, "last_run_at" | "next_run_at">;

export interface RuleRow extends Omit<Rule, keyof RuleTimes> {
  /** The original Sigma YAML of an imported rule; null for any other rule. */
  sigma_yaml: string | null;
}

export function toOrder(sort: RuleSort = "-created_at"): Order<Rule> {
  const column = sort === "created_at" || sort === "-created_at" ? "created_at" : "updated_at";
  return { ...newestFirst(column), name: sort, direction: sort.startsWith("-") ? "desc" : "asc" };
}

const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/;
const INTERVAL_MINUTES = 5;
const DESCRIPTION = "{message}";
/** Each alert concerns one entity. */
export const DEFAULT_TITLE = "{rule_name} on {entity}";

export function buildRule(request: CreateRuleRequest, id: string, created_by: string, now: Date): RuleRow {
  requireTechniques(request);
  const rule = checkedRule(buildFields(request, id, created_by, now));
  requireSelective(rule);
  return rule;
}

/** The fields of a rule before validation. */
export function buildFields(request: CreateRuleRequest, id: string, created_by: string, now: Date): RuleRow {
  const { type = "query" } = request;
  return {
    id,
    name: request.name,
    description: request.description ?? "",
    enabled: request.enabled ?? true,
    type,
    query: request.query ?? "",
    threshold: completeDetails(type, request.threshold ?? null),
    source: request.source ?? null,
    host: request.host ?? null,
    ...toAlertFields(request),
    // Only single-event rules can run on the stream; all others need a schedule.
    schedule_enabled: request.schedule_enabled ?? type !== "query",
    schedule_interval_minutes: request.schedule_interval_minutes ?? INTERVAL_MINUTES,
    sharing_mode: request.sharing_mode ?? "team",
    shared_with_roles: request.shared_with_roles ?? [],
    sigma: null,
    sigma_yaml: null,
    overlay: [],
    version: 1,
    created_by,
    created_at: now,
    updated_at: now,
  };
}

/** The fields of the alerts that the rule raises. */
function toAlertFields(request: CreateRuleRequest) {
  return {
    match_severity: request.match_severity ?? null,
    alert_severity: request.alert_severity ?? "medium",
    alert_title_template: request.alert_title_template ?? DEFAULT_TITLE,
    alert_description_template: request.alert_description_template ?? DESCRIPTION,
    auto_create_case: request.auto_create_case ?? false,
    mitre_techniques: request.mitre_techniques ?? [],
    tags: request.tags ?? [],
  };
}

/** The next version of a rule. */
export function patchRule(rule: RuleRow, patch: UpdateRuleRequest, updated_at: Date): RuleRow {
  requireTechniques(patch);
  const { type = rule.type } = patch;
  const threshold = patch.threshold === undefined && type === rule.type ? rule.threshold : (patch.threshold ?? null);
  const changed = checkedRule({
    ...rule,
    ...patch,
    threshold: completeDetails(type, threshold, type === "sequence" && bringsSteps(rule)),
    ...toNextVersion(rule, Object.keys(patch), updated_at),
  });
  // A match-all rule from an older release can still be disabled.
  if (changed.enabled || isSelective(rule)) requireSelective(changed);
  return changed;
}

/** Builds the next version of many rules whose conditions do not change and are not parsed again. */
export function relabelRule(
  rule: RuleRow,
  patch: Partial<Pick<RuleRow, "enabled" | "alert_severity" | "tags">>,
  updated_at: Date,
): RuleRow {
  const changed = { ...rule, ...patch, ...toNextVersion(rule, Object.keys(patch), updated_at) };
  // An imported rule always has a condition.
  if (changed.enabled && changed.sigma_yaml === null) requireSelective(changed);
  return checkedFields(changed);
}

function toNextVersion({ sigma, overlay, version }: RuleRow, changed: readonly string[], updated_at: Date) {
  return {
    overlay: sigma === null ? [] : [...new Set([...overlay, ...changed])].toSorted(),
    version: version + 1,
    updated_at,
  };
}

function requireTechniques(given: UpdateRuleRequest): void {
  const unknownId = given.mitre_techniques?.find((technique) => !TECHNIQUE_ID.test(technique));
  if (unknownId !== undefined) {
    throw invalidField("mitre_techniques", `'${unknownId}' is not the id of a technique, such as T1059 or T1059.001`);
  }
}

/** A rule without any condition would match every log. */
function requireSelective(rule: RuleRow): void {
  if (isSelective(rule)) return;
  throw invalidField("query", "must select some logs, unless source, host or match_severity is given");
}

function isSelective(rule: RuleRow): boolean {
  return rule.type === "sequence" || buildRuleCondition(rule).kind !== "all";
}

/** Validates an old version of a rule with the current checks. */
export function recheckRule(rule: RuleRow): RuleRow {
  const checked = checkedRule(rule);
  if (checked.enabled) requireSelective(checked);
  return checked;
}

/** Whether two versions of a rule have the same content, ignoring version number and time. */
export function isSameRule(one: RuleRow, other: RuleRow): boolean {
  const { version: _v, updated_at: _u, overlay: _o, ...rest } = one;
  const { version: _w, updated_at: _x, overlay: _p, ...others } = other;
  return isDeepStrictEqual(rest, others);
}

function checkedRule(rule: RuleRow): RuleRow {
  const checked = checkedFields(rule);
  // Validate the condition now, so that a mistake is reported with its position and not when the rule runs.
  toSql(buildRuleCondition(rule));
  return checked;
}

/** For a rule whose condition was already validated, because parsing it is slow. */
export function checkedFields(rule: RuleRow): RuleRow {
  requireStorable(rule);
  const shared_with_roles = checkSharing(rule);
  if (rule.enabled && !rule.schedule_enabled && rule.type !== "query") {
    throw invalidField("schedule_enabled", `a rule of type ${rule.type} can only run on a schedule`);
  }
  return {
    ...rule,
    shared_with_roles,
    mitre_techniques: [...new Set(rule.mitre_techniques)],
    tags: [...new Set(rule.tags)],
  };
}

export type AskingRule = Pick<RuleRow, "query" | "source" | "host" | "match_severity" | "sigma_yaml">;

/** The condition that an event must meet. The query narrows an imported rule further. */
export function buildRuleCondition({ query, source, host, match_severity, sigma_yaml }: AskingRule): Condition {
  const of: Condition[] = [];
  if (sigma_yaml !== null) of.push(requireSigma(sigma_yaml).condition);
  if (query.trim() !== "") of.push(parseQuery(query));
  for (const [name, text] of [["source", source] as const, ["host", host] as const]) {
    if (text !== null) of.push({ kind: "text", field: { name }, pattern: [{ text }], isCased: false });
  }
  if (match_severity !== null) {
    of.push({ kind: "text", field: { name: "severity" }, pattern: [{ text: match_severity }], isCased: true });
  }
  const [only] = of;
  if (!only) return { kind: "all" };
  return of.length === 1 ? only : { kind: "and", of };
}

/** The conditions of the steps of a sequence: its queries, or the rules of its Sigma correlation. */
export function buildRuleSteps({ sigma_yaml }: Pick<RuleRow, "sigma_yaml">, steps: readonly string[]): Condition[] {
  if (steps.length > 0 || sigma_yaml === null) return steps.map((step) => parseQuery(step));
  return requireSigma(sigma_yaml).correlation?.steps ?? [];
}

function bringsSteps({ sigma_yaml }: Pick<RuleRow, "sigma_yaml">): boolean {
  return sigma_yaml !== null && requireSigma(sigma_yaml).correlation !== undefined;
}

function requireSigma(yaml: string): SigmaRule {
  const reading = readSigma(yaml);
  if (reading.state === "refused") throw invalidField("sigma", reading.reasons.join("; "));
  return reading.rule;
}

/** Returns which worker evaluates the rule in the background; at most one does. */
function ownerOf({ enabled, type, schedule_enabled }: Pick<Rule, "enabled" | "type" | "schedule_enabled">) {
  if (!enabled) return "none";
  return schedule_enabled || type !== "query" ? "schedule" : "stream";
}

/** The filters of the list that compare one field of the rule. */
export const EQUAL_FILTERS = [
  ["enabled", "enabled"],
  ["type", "type"],
  ["schedule_enabled", "schedule_enabled"],
  ["severity", "alert_severity"],
  ["source", "source"],
] as const satisfies readonly (readonly [keyof RuleFilters, keyof Rule])[];

export function isListed(rule: Rule, query: RuleFilters): boolean {
  const { q, tag, technique, origin } = query;
  const words = [rule.name, rule.description, ...rule.tags].join("\n").toLowerCase();
  return (
    EQUAL_FILTERS.every(([name, field]) => query[name] === undefined || query[name] === rule[field]) &&
    (q === undefined || words.includes(q.toLowerCase())) &&
    (tag === undefined || rule.tags.includes(tag)) &&
    (technique === undefined || rule.mitre_techniques.some((id) => isWithinTechnique(id, technique.toUpperCase()))) &&
    (origin === undefined || origin === (rule.sigma === null ? "own" : "sigma"))
  );
}

/** Whether an id is the technique or one of its sub-techniques. */
function isWithinTechnique(id: string, technique: string): boolean {
  return id === technique || id.startsWith(`${technique}.`);
}

/** One version of a rule; instants are ISO 8601. */
export interface RuleVersionRow {
  id: string;
  rule_id: string;
  version: number;
  rule: Omit<RuleRow, "created_at" | "updated_at"> & { created_at: string; updated_at: string };
  changed_by: string;
  changed_at: Date;
}

export function buildVersion(rule: RuleRow, id: string, changed_by: string): RuleVersionRow {
  const { id: rule_id, version, created_at, updated_at } = rule;
  const kept = { ...rule, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
  return { id, rule_id, version, rule: kept, changed_by, changed_at: updated_at };
}

/** The next scheduled run, or the expected one until the schedule has picked up this version. */
export function resolveTimes(rule: Omit<RuleRow, "sigma_yaml">, { last_run_at, next_run_at }: RuleTimes): RuleTimes {
  if (ownerOf(rule) !== "schedule") return { last_run_at, next_run_at: null };
  return { last_run_at, next_run_at: next_run_at ?? windowEndAfter(rule.updated_at, rule.schedule_interval_minutes) };
}

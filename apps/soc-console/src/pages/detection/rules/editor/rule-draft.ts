import type { CreateRuleRequest } from "@soc/service/contract/detection/rules/rules";
import type { Rule, RuleSeverity, RuleType } from "../rules-client.ts";

/** The type-specific fields of a draft. */
export interface DetailsDraft {
  count: string;
  groupBy: string;
  within: string;
  withinUnit: "minutes" | "seconds";
  distinctField: string;
  fields: string;
  historyDays: string;
  steps: readonly string[];
  isAnyOrder: boolean;
}

export interface AlertDraft {
  severity: RuleSeverity;
  title: string;
  description: string;
  createsCase: boolean;
}

/** A rule in the editor; all fields are text as typed. */
export interface RuleDraft {
  name: string;
  description: string;
  type: RuleType;
  query: string;
  details: DetailsDraft;
  source: string;
  host: string;
  alert: AlertDraft;
  isScheduled: boolean;
  minutes: string;
  techniques: string;
  tags: string;
  sharing: Rule["sharing_mode"];
  isEnabled: boolean;
}

export const MIN_STEPS = 2;
export const MAX_STEPS = 5;
const TITLE = "{rule_name} on {entity}";

export function createDraft(query = ""): RuleDraft {
  return {
    ...{ name: "", description: "", type: "query", query, source: "", host: "", techniques: "", tags: "" },
    details: {
      ...{ count: "5", groupBy: "host", within: "10", withinUnit: "minutes", distinctField: "" },
      ...{ fields: "", historyDays: "7", steps: ["", ""], isAnyOrder: false },
    },
    alert: { severity: "medium", title: TITLE, description: "{message}", createsCase: false },
    ...{ isScheduled: true, minutes: "5", sharing: "team", isEnabled: false },
  };
}

export function toDraft(rule: Rule): RuleDraft {
  const empty = createDraft();
  const { threshold } = rule;
  const { name, description, type, query } = rule;
  return {
    ...{ name, description, type, query, source: rule.source ?? "", host: rule.host ?? "" },
    details: {
      count: threshold?.count === undefined ? empty.details.count : String(threshold.count),
      groupBy: threshold ? (threshold.group_by ?? []).join(", ") : empty.details.groupBy,
      within: String(threshold?.within_seconds ?? threshold?.within_minutes ?? empty.details.within),
      withinUnit: threshold?.within_seconds === undefined ? "minutes" : "seconds",
      distinctField: threshold?.distinct_field ?? "",
      fields: (threshold?.fields ?? []).join(", "),
      historyDays: String(threshold?.history_days ?? empty.details.historyDays),
      steps: threshold?.steps ?? empty.details.steps,
      isAnyOrder: threshold?.any_order === true,
    },
    alert: {
      severity: rule.alert_severity,
      title: rule.alert_title_template,
      description: rule.alert_description_template,
      createsCase: rule.auto_create_case,
    },
    ...{ isScheduled: rule.schedule_enabled, minutes: String(rule.schedule_interval_minutes) },
    ...{ techniques: rule.mitre_techniques.join(", "), tags: rule.tags.join(", ") },
    ...{ sharing: rule.sharing_mode, isEnabled: rule.enabled },
  };
}

/** Splits `a, b,,c` into a list. */
export function splitNames(text: string): string[] {
  return [...new Set(text.split(/[,\s]+/).filter((name) => name !== ""))];
}

function splitTags(text: string): string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
}

/** Parses a number. Other text is passed on, so that the service reports the error. */
function toNumber(text: string): number {
  return text.trim() === "" ? 0 : Number(text);
}

function toDetails({ type, details }: RuleDraft): NonNullable<CreateRuleRequest["threshold"]> | null {
  const within =
    details.withinUnit === "seconds"
      ? { within_seconds: toNumber(details.within) }
      : { within_minutes: toNumber(details.within) };
  const grouped = { group_by: splitNames(details.groupBy), ...within };
  switch (type) {
    case "query":
      return null;
    case "threshold": {
      const distinct_field = details.distinctField.trim();
      return { count: toNumber(details.count), ...grouped, ...(distinct_field !== "" && { distinct_field }) };
    }
    case "new_terms":
      return { fields: splitNames(details.fields), history_days: toNumber(details.historyDays) };
    case "sequence": {
      const steps = details.steps.map((step) => step.trim()).filter((step) => step !== "");
      return { steps, ...grouped, ...(details.isAnyOrder && { any_order: true }) };
    }
    default:
      return type satisfies never;
  }
}

/** The request body. */
export function toRequest(draft: RuleDraft): CreateRuleRequest {
  const { alert } = draft;
  const orNull = (text: string) => (text.trim() === "" ? null : text.trim());
  return {
    ...{ name: draft.name.trim(), description: draft.description, type: draft.type, query: draft.query.trim() },
    ...{ threshold: toDetails(draft), source: orNull(draft.source), host: orNull(draft.host) },
    alert_severity: alert.severity,
    alert_title_template: alert.title.trim() === "" ? TITLE : alert.title,
    alert_description_template: alert.description,
    auto_create_case: alert.createsCase,
    ...{ schedule_enabled: draft.isScheduled, schedule_interval_minutes: toNumber(draft.minutes) },
    ...{ mitre_techniques: splitNames(draft.techniques), tags: splitTags(draft.tags) },
    ...{ sharing_mode: draft.sharing, enabled: draft.isEnabled },
  };
}

/** Only the fields that differ from the stored rule: an imported rule keeps its own text in the others. */
export function toChanges(draft: RuleDraft, stored: Rule): Partial<CreateRuleRequest> {
  const before = new Map<string, unknown>(Object.entries(toRequest(toDraft(stored))));
  return Object.fromEntries(
    Object.entries(toRequest(draft)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
    ),
  );
}

const DETECTING = ["name", "type", "query", "threshold", "source", "host", "alert_title_template"] as const;

/** The fields that affect matches and titles. Other fields do not change a backtest. */
export function toBacktest(request: Partial<CreateRuleRequest>): Partial<CreateRuleRequest> {
  const kept = DETECTING.filter((name) => request[name] !== undefined && request[name] !== "");
  const chosen = Object.fromEntries(kept.map((name) => [name, request[name]]));
  return "threshold" in chosen && chosen.threshold === null && chosen.type === undefined
    ? { ...chosen, type: "query" }
    : chosen;
}

/** Whether the draft can match anything. */
export function isTestable({ type, query, details }: RuleDraft, hasSigma: boolean): boolean {
  if (hasSigma) return true;
  if (type === "sequence") return details.steps.filter((step) => step.trim() !== "").length >= MIN_STEPS;
  return query.trim() !== "" && (type !== "new_terms" || details.fields.trim() !== "");
}

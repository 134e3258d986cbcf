import type { AddressSearch } from "../../../../app/address/search.ts";
import { RULE_TYPES, type RuleSeverity, type RuleType, SEVERITIES } from "../rules-client.ts";

const ORIGINS = ["sigma", "own"] as const;
const SORTS = ["-updated_at", "-created_at"] as const;
const MAX_TEXT = 200;

/** The rule filter in the address. */
export interface RulesFilter {
  q: string;
  tag: string;
  source: string;
  technique: string;
  severity: RuleSeverity | undefined;
  type: RuleType | undefined;
  origin: (typeof ORIGINS)[number] | undefined;
  enabled: boolean | undefined;
  sort: (typeof SORTS)[number];
}

const ENABLED: Readonly<Record<string, boolean>> = { on: true, off: false };
const cut = (text: string | undefined) => (text ?? "").slice(0, MAX_TEXT);

export function parseFilter(search: AddressSearch): RulesFilter {
  return {
    q: cut(search.q),
    tag: cut(search.tag),
    source: cut(search.source),
    technique: cut(search.technique),
    severity: SEVERITIES.find((each) => each === search.severity),
    type: RULE_TYPES.find((each) => each === search.type),
    origin: ORIGINS.find((each) => each === search.origin),
    enabled: ENABLED[search.enabled ?? ""],
    sort: SORTS.find((each) => each === search.sort) ?? "-updated_at",
  };
}

/** The request parameters. */
export function toQuery({ q, tag, source, technique, ...rest }: RulesFilter) {
  const given = (text: string) => (text === "" ? undefined : text);
  return { q: given(q), tag: given(tag), source: given(source), technique: given(technique), ...rest };
}

export function isFiltered({ sort: _sort, ...filter }: RulesFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== "");
}

export function nextSort(sort: RulesFilter["sort"]): RulesFilter["sort"] {
  return sort === "-updated_at" ? "-created_at" : "-updated_at";
}

/** The false positive rate of all verdicts; undefined without verdicts. */
export function falseShare(health: { true_positives_30d: number; false_positives_30d: number }): number | undefined {
  const judged = health.true_positives_30d + health.false_positives_30d;
  return judged > 0 ? health.false_positives_30d / judged : undefined;
}

import { type Expression, type SelectQueryBuilder, sql } from "kysely";
import { ALL_SITES, type Scope } from "../../foundation/caller/caller.ts";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { planSearch, type SearchPlan } from "../../foundation/lists/words.ts";
import { type AlertSelection, EQUAL_FILTERS, listWantedKeys, NONE, parseSpan } from "./alert-filters.ts";
import { toCondition } from "./alert-query.ts";

/** The column of the full-text search. */
const WORDS = { table: "alerts", column: "words" };

/** Plans how to find alerts of the scope that contain the words; the condition restricts them to the scope. */
export function planWords(
  db: Db,
  {
    scope,
    isInScope,
    words,
    needed,
  }: { scope: Scope; isInScope: Expression<unknown>; words: string[]; needed: number },
): Promise<SearchPlan> {
  const own = sql`SELECT words FROM alerts WHERE ${isInScope} ORDER BY last_seen DESC`;
  return planSearch(db, WORDS, { words, needed, ...(scope !== ALL_SITES && { own }) });
}

/**
 * Applies the filters to the alerts of a scope, except the words of a search. If a query is not exact, the result
 * contains all its matches and possibly others.
 */
export function filterAlerts<Row>(alerts: SelectQueryBuilder<Tables, "alerts", Row>, query: AlertSelection) {
  let listed = alerts;
  for (const name of EQUAL_FILTERS) {
    const values = query[name];
    if (values !== undefined) listed = listed.where(isAmong(name, values));
  }
  for (const keys of listWantedKeys(query)) listed = listed.where(hasKey(keys));
  const { from, to } = parseSpan(query);
  if (from) listed = listed.where("last_seen", ">=", from);
  if (to) listed = listed.where("first_seen", "<", to);
  const { ids, has_case, ioc, min_risk } = query;
  if (ids) listed = listed.where("id", "in", ids);
  if (has_case !== undefined) listed = listed.where("case_id", has_case ? "is not" : "is", null);
  if (ioc) listed = listed.where(hasIoc(ioc));
  if (min_risk !== undefined) listed = listed.where(sql<boolean>`${RISK} >= ${min_risk}`);
  return query.query ? listed.where(toCondition(query.query.test)) : listed;
}

/** Must equal the expression of the index: an alert without a risk sorts below all others. */
const RISK = sql`coalesce(risk_score, -1)`;

function isAmong(name: (typeof EQUAL_FILTERS)[number], values: readonly string[]) {
  const column = sql.ref(name);
  const [value, ...more] = values.filter((each) => each !== NONE || !isNullable(name));
  const isMissing = values.includes(NONE) && isNullable(name);
  if (value === undefined) return sql<boolean>`${column} IS NULL`;
  const isOne = more.length === 0 ? sql`${column} = ${value}` : sql`${column} IN (${sql.join([value, ...more])})`;
  return isMissing ? sql<boolean>`(${isOne} OR ${column} IS NULL)` : sql<boolean>`${isOne}`;
}

function isNullable(name: (typeof EQUAL_FILTERS)[number]): boolean {
  return name === "assignee" || name === "verdict";
}

/** Is true if an alert has one of the indicators. */
export function hasIoc(iocs: readonly string[]) {
  return sql<boolean>`alert_ioc_keys(iocs) && alert_ioc_keys(${[...iocs]}::text[])`;
}

/** Is true if an alert has one of the keys. */
export function hasKey(keys: readonly string[]) {
  return sql<boolean>`filter_keys && ${keys}::text[]`;
}

/** Searches with the index. */
export function hasWords(words: readonly string[]) {
  return words.length === 0 ? sql<boolean>`true` : sql<boolean>`words @@ ${toTextSearch(words)}`;
}

/**
 * Is the same condition without the index, checked row by row, because the index returns too many entries for a
 * frequent word.
 */
export function isChecked(words: readonly string[]) {
  return words.length === 0 ? sql<boolean>`true` : sql<boolean>`ts_match_vq(words, ${toTextSearch(words)})`;
}

/** Words contain no punctuation, so they cannot contain operators of the text search language. */
function toTextSearch(words: readonly string[]) {
  return sql`to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(" & ")})`;
}

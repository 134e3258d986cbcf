import { type Expression, type SelectQueryBuilder, sql } from "kysely";
import { ALL_SITES, type Scope } from "../../foundation/caller/scope.ts";
import type { Db, Tables } from "../../foundation/database/tables.ts";
import { planSearch, type SearchPlan } from "../../foundation/lists/words.ts";
import { type AlertSelection, EQUAL_FILTERS, listWantedKeys, NONE, parseSpan } from "./alert-filters.ts";
import { toCondition } from "./alert-query.ts";

/** The column that a search by words uses. */
const WORDS = { table: "alerts", column: "words" };

/** How alerts of the scope with the words are found; the condition says which are in it. */
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
 * Those of the alerts, which are the ones of a scope, that the filters choose, but for the words of a search, and for a query that is not exact: its alerts are
 * among them.
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

/** As the index has it: an alert without a risk is below all others. */
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

/** Whether an alert has one of the indicators. */
export function hasIoc(iocs: readonly string[]) {
  return sql<boolean>`alert_ioc_keys(iocs) && alert_ioc_keys(${[...iocs]}::text[])`;
}

/** Whether an alert has one of the keys. */
export function hasKey(keys: readonly string[]) {
  return sql<boolean>`filter_keys && ${keys}::text[]`;
}

/** Uses the index. */
export function hasWords(words: readonly string[]) {
  return words.length === 0 ? sql<boolean>`true` : sql<boolean>`words @@ ${toTextSearch(words)}`;
}

/** The same condition without the index, row by row: for a frequent word the index returns too many entries. */
export function isChecked(words: readonly string[]) {
  return words.length === 0 ? sql<boolean>`true` : sql<boolean>`ts_match_vq(words, ${toTextSearch(words)})`;
}

/** Words contain no punctuation, so they cannot contain operators of the text search. */
function toTextSearch(words: readonly string[]) {
  return sql`to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(" & ")})`;
}

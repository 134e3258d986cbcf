import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import { EQUAL_FILTERS, listWantedKeys, parseSpan } from "./alert-filters.ts";
import type { AlertFilters } from "./alerts.schema.ts";

/** The column that a search by words uses. */
export const WORDS = { table: "alerts", column: "words" };

/** The alerts that the filters choose, but for the words of a search. */
export function filterAlerts(db: Db, query: AlertFilters) {
  let listed = db.selectFrom("alerts");
  for (const name of EQUAL_FILTERS) {
    const [value, ...more] = query[name] ?? [];
    if (value === undefined) continue;
    listed = more.length === 0 ? listed.where(name, "=", value) : listed.where(name, "in", [value, ...more]);
  }
  for (const keys of listWantedKeys(query)) listed = listed.where(hasKey(keys));
  const { from, to } = parseSpan(query);
  if (from) listed = listed.where("last_seen", ">=", from);
  if (to) listed = listed.where("first_seen", "<", to);
  return listed;
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

import { type RawBuilder, type SqlBool, sql } from "kysely";
import { ALL_SITES, type Scope } from "./scope.ts";

/** The condition that a record of one site is in the scope. */
export function isInScope(scope: Scope, column = "site"): RawBuilder<SqlBool> {
  if (scope === ALL_SITES) return sql`true`;
  return sql`${sql.ref(column)}::text = ANY(${[...scope]}::text[])`;
}

/** The condition that a record of several sites is in the scope: it has sites, and each of them is. */
export function areInScope(scope: Scope, column = "sites"): RawBuilder<SqlBool> {
  if (scope === ALL_SITES) return sql`true`;
  return sql`(${sql.ref(column)} <@ ${[...scope]}::text[] AND ${sql.ref(column)} <> '{}')`;
}

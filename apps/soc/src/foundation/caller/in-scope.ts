import { type RawBuilder, type SqlBool, sql } from "kysely";
import { ALL_SITES, type Scope } from "./caller.ts";

/** Builds the condition that a record with one site is in the scope. */
export function isInScope(scope: Scope, column = "site"): RawBuilder<SqlBool> {
  if (scope === ALL_SITES) return sql`true`;
  return sql`${sql.ref(column)}::text = ANY(${[...scope]}::text[])`;
}

/**
 * Builds the condition that a record with several sites is in the scope: it has at least one site, and all of them are
 * in the scope.
 */
export function areInScope(scope: Scope, column = "sites"): RawBuilder<SqlBool> {
  if (scope === ALL_SITES) return sql`true`;
  return sql`(${sql.ref(column)} <@ ${[...scope]}::text[] AND ${sql.ref(column)} <> '{}')`;
}

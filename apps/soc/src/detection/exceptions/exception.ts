import { invalidField, Problem } from "@kit/problem";
import type { Condition } from "@kit/query/condition";
import { parseQuery } from "@kit/query/query";
import type { Static } from "typebox";
import { newestFirst } from "../../foundation/lists/order.ts";
import { updatedAt } from "../../foundation/records/if-match.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { type Predicate, toPredicate, toSql } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type {
  CreateExceptionRequest,
  ExceptionBody,
  ListExceptionsQuery,
  PreviewExceptionRequest,
  UpdateExceptionRequest,
} from "./exceptions.schema.ts";

/** A query for logs that rules ignore until the exception expires. */
export type Exception = Static<typeof ExceptionBody>;
/** The stored part of an exception: its counts are stored per rule. */
export type ExceptionRow = Omit<Exception, "hidden" | "last_hidden_at" | "approval_id" | "held_until"> & HeldFields;

/** An exception that waits for an approval has ended; with the approval it ends at `held_until`. */
interface HeldFields {
  approval_id?: string | null | undefined;
  held_until?: Date | null | undefined;
}

/** Omits the fields of an approval that it does not wait for. */
export function toShown<Row extends HeldFields>({ approval_id, held_until, ...exception }: Row) {
  return { ...exception, ...(approval_id && held_until && { approval_id, held_until }) };
}

export const NEWEST_FIRST = newestFirst("created_at");

const LONGEST_MS = 365 * 24 * 3_600_000;

/** Selects the affected logs and rules. */
export type ExceptionSelection = Pick<PreviewExceptionRequest, "scope" | "rule_id" | "tag" | "query">;

export interface ExceptionParts {
  id: string;
  created_by: string;
  now: Date;
}

export function buildException(request: CreateExceptionRequest, { id, created_by, now }: ExceptionParts): ExceptionRow {
  const { scope, rule_id = null, tag = null, query, reason } = request;
  requireStorable({ tag, query, reason });
  requireSelecting(request);
  const expires_at = new Date(request.expires_at);
  if (expires_at <= now) throw invalidField("expires_at", "must be in the future");
  if (expires_at.getTime() - now.getTime() > LONGEST_MS) {
    throw invalidField("expires_at", "must be within a year: an exception must expire");
  }
  return { id, scope, rule_id, tag, query, reason, created_by, created_at: now, updated_at: now, expires_at };
}

/** Returns the condition of the query. Refuses a request that does not determine the affected logs and rules. */
export function requireSelecting({ scope, rule_id, tag, query }: ExceptionSelection): Condition {
  if (scope === "rule" && rule_id === undefined) throw invalidField("rule_id", "is required if scope is rule");
  if (scope !== "rule" && rule_id !== undefined) throw invalidField("rule_id", `has no meaning if scope is ${scope}`);
  if (scope === "tag" && tag === undefined) throw invalidField("tag", "is required if scope is tag");
  if (scope !== "tag" && tag !== undefined) throw invalidField("tag", `has no meaning if scope is ${scope}`);
  const condition = parse(query);
  if (condition.kind === "all") throw invalidField("query", "must select some logs; disable the rule to hide all");
  return condition;
}

function parse(query: string): Condition {
  try {
    const condition = parseQuery(query);
    // Validated like the query of a rule, so that a mistake is reported now and not when a rule runs.
    toSql(condition);
    return condition;
  } catch (error) {
    if (!(error instanceof Problem) || error.message.startsWith("query:")) throw error;
    throw invalidField("query", error.message, { cause: error });
  }
}

/** Applies the changes to the exception. Its duration can only decrease. */
export function patchException(exception: ExceptionRow, patch: UpdateExceptionRequest, now: Date): ExceptionRow {
  requireStorable(patch);
  const expires_at = patch.expires_at === undefined ? exception.expires_at : new Date(patch.expires_at);
  if (patch.expires_at !== undefined) {
    if (expires_at > exception.expires_at) {
      throw invalidField(
        "expires_at",
        "must not be later than the current value; create another exception to extend it",
      );
    }
    if (expires_at <= now) throw invalidField("expires_at", "must be in the future; delete the exception to end it");
  }
  return { ...exception, ...patch, expires_at, updated_at: updatedAt(exception, now) };
}

export function isActive({ expires_at }: Pick<Exception, "expires_at">, now: Date): boolean {
  return now < expires_at;
}

/** Whether the exception applies to the rule. */
export function isInScope(
  { scope, rule_id, tag }: Pick<Exception, "scope" | "rule_id" | "tag">,
  rule: { id: string; tags: readonly string[] },
): boolean {
  if (scope === "all") return true;
  return scope === "rule" ? rule_id === rule.id : tag !== null && rule.tags.includes(tag);
}

export function isListed(exception: Exception, query: ListExceptionsQuery, now: Date): boolean {
  const { scope, rule_id, tag, active, q } = query;
  const words = `${exception.query}\n${exception.reason}`.toLowerCase();
  return (
    (scope === undefined || scope.includes(exception.scope)) &&
    (rule_id === undefined || rule_id.some((id) => id.toLowerCase() === exception.rule_id)) &&
    (tag === undefined || (exception.tag !== null && tag.includes(exception.tag))) &&
    (active === undefined || active === isActive(exception, now)) &&
    (q === undefined || words.includes(q.toLowerCase()))
  );
}

/** The exceptions of a rule, ready to apply. */
export interface ExceptionMatcher {
  /** Matches the logs that at least one of them hides. */
  condition: Condition;
  /** The id of the first exception that hides the log. */
  find(log: LogEvent): string | undefined;
}

/** Undefined if there are none. */
export function compileExceptions(
  exceptions: readonly Pick<Exception, "id" | "query">[],
): ExceptionMatcher | undefined {
  const compiled: { id: string; condition: Condition; hides: Predicate }[] = [];
  for (const { id, query } of exceptions) {
    const condition = parseOrIgnore(query);
    if (condition) compiled.push({ id, condition, hides: toPredicate(condition) });
  }
  if (compiled.length === 0) return undefined;
  return {
    condition: { kind: "or", of: compiled.map(({ condition }) => condition) },
    find: (log) => compiled.find(({ hides }) => hides(log))?.id,
  };
}

/** A query that this release can no longer parse hides nothing: an extra alert is better than a stopped rule. */
function parseOrIgnore(query: string): Condition | undefined {
  try {
    return parse(query);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

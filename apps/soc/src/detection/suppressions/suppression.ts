import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { toPredicate } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { equals, parseEventField } from "../matching/event-field.ts";
import type {
  CreateSuppressionRequest,
  ListAllSuppressionsQuery,
  SuppressionBody,
  UpdateSuppressionRequest,
} from "./suppressions.schema.ts";

/** Hides matches of a rule with given values for a limited time. */
export type Suppression = Static<typeof SuppressionBody>;
export type Criteria = Suppression["criteria"];

export const NEWEST_FIRST: Order<Suppression> = newestFirst("created_at");

const HOUR_MS = 3_600_000;
const NAME_FIELDS = ["host", "user", "source", "site", "src_ip", "dst_ip"] as const;

export interface SuppressionParts {
  id: string;
  rule_id: string;
  created_by: string;
  now: Date;
}

export function buildSuppression(request: CreateSuppressionRequest, parts: SuppressionParts): Suppression {
  const { name, reason = "", criteria, suppress_for_hours } = request;
  requireStorable({ name, reason, criteria });
  requireExactValues(criteria);
  // Rejects a field that no event has.
  createMatcher(criteria);
  const { id, rule_id, created_by, now } = parts;
  const expires_at = new Date(now.getTime() + suppress_for_hours * HOUR_MS);
  return { id, rule_id, name, reason, criteria, suppress_for_hours, created_by, created_at: now, expires_at };
}

/** Name fields do not support wildcards: a caller who uses one expects a pattern, but values are compared exactly. */
function requireExactValues(criteria: Criteria): void {
  for (const name of NAME_FIELDS) {
    const value = criteria[name];
    if (typeof value !== "string" || !/[*?]/.test(value)) continue;
    throw invalidField(`criteria.${name}`, `'${value}' is compared exactly; '*' and '?' are not wildcards here`);
  }
}

/** Applies the changes to the suppression. Its duration can only decrease. */
export function patchSuppression(suppression: Suppression, patch: UpdateSuppressionRequest): Suppression {
  requireStorable(patch);
  const { created_at, expires_at, suppress_for_hours: current } = suppression;
  const { suppress_for_hours = current } = patch;
  if (suppress_for_hours > current) {
    throw invalidField("suppress_for_hours", `must be at most ${current}; create another suppression to extend it`);
  }
  const ends = new Date(created_at.getTime() + suppress_for_hours * HOUR_MS);
  return { ...suppression, ...patch, suppress_for_hours, expires_at: ends < expires_at ? ends : expires_at };
}

/** Tests whether an event has exactly these values in all of these fields; in a list, one element must be equal. */
export function createMatcher(criteria: Criteria): (log: LogEvent) => boolean {
  if (Object.keys(criteria).length === 0) throw invalidField("criteria", "must name at least one field of the event");
  const of = Object.entries(criteria).map(([name, value]) =>
    equals(parseEventField(name, `criteria.${name}`), String(value)),
  );
  return toPredicate({ kind: "and", of });
}

export function isActive({ expires_at }: Pick<Suppression, "expires_at">, now: Date): boolean {
  return now < expires_at;
}

export function isListed(suppression: Suppression, { active, q }: ListAllSuppressionsQuery, now: Date): boolean {
  const words = `${suppression.name}\n${suppression.reason}`.toLowerCase();
  return (
    (active === undefined || active === isActive(suppression, now)) &&
    (q === undefined || words.includes(q.toLowerCase()))
  );
}

/** Finds the first suppression that hides an event. */
export function createSuppressor(
  suppressions: readonly Suppression[],
): (log: LogEvent) => Pick<Suppression, "id" | "name"> | undefined {
  const matchers = suppressions.map(({ id, name, criteria }) => ({ id, name, matches: createMatcher(criteria) }));
  return (log) => matchers.find(({ matches }) => matches(log));
}

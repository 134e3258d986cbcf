import { SEVERITIES, type Severity } from "../../alerts/alerts/alerts.schema.ts";
import { newestFirst } from "../../foundation/lists/order.ts";
import type { EntityBody } from "./correlations.schema.ts";
import type { CorrelatedRecord } from "./link.ts";
import { formatEntity, type SharedEntity } from "./shared-entity.ts";

export interface CorrelationRow {
  id: string;
  score: number;
  reason: string;
  severity: Severity;
  members: number;
  first_at: Date;
  last_at: Date;
  case_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A record with the fields that its group shows. */
export interface RatedRecord extends CorrelatedRecord {
  severity: Severity;
}

export const NEWEST_CORRELATION_FIRST = newestFirst("last_at");

/** A group takes no further members above this number, because the spread is then obvious. */
export const MAX_MEMBERS = 500;
export const SHOWN_MEMBERS = 50;
export const SHOWN_LOGS = 100;
const SHOWN_ENTITIES = 10;

export function highest(severities: readonly Severity[]): Severity {
  return severities.toSorted((a, b) => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b))[0] ?? "info";
}

/** Counts the entities that at least two members name, most frequent first. */
export function countShared(lists: readonly (readonly SharedEntity[])[]): EntityBody[] {
  const counts = new Map<string, EntityBody>();
  for (const entity of lists.flat()) {
    const key = formatEntity(entity);
    counts.set(key, { ...entity, records: (counts.get(key)?.records ?? 0) + 1 });
  }
  return [...counts.values()]
    .filter(({ records }) => records > 1)
    .toSorted((a, b) => b.records - a.records || (formatEntity(a) < formatEntity(b) ? -1 : 1))
    .slice(0, SHOWN_ENTITIES);
}

/** Formats the reason of a group: that of its strongest link, and the number of members. */
export function formatReason(strongest: string, members: number): string {
  return members > 2 ? `${strongest}; ${members} records in all` : strongest;
}

import { invalidField } from "@kit/problem";
import { newestFirst, type Order } from "../lists/order.ts";
import { requireStorable } from "../records/storable.ts";
import type { AuditEntryBody, AuditFilter } from "./audit.schema.ts";

/** One change, as auditors read it and as event subscribers receive it. */
export interface Change {
  /** The user, API key or agent that made the change. */
  actor: string;
  /** `<noun>.<past participle>`, such as alert.created. */
  action: string;
  subject_type: string;
  subject_id: string;
  details: object;
}

export const NEWEST_FIRST: Order<AuditEntryBody> = newestFirst("at");

/** Rejects what the schema accepts but PostgreSQL does not: characters that it cannot store, and leap seconds. */
export function checkFilter(filter: AuditFilter): void {
  requireStorable(filter);
  for (const field of ["from", "to"] as const) {
    const text = filter[field];
    if (text !== undefined && Number.isNaN(Date.parse(text)))
      throw invalidField(field, `'${text}' is not a valid time`);
  }
}

/** Applies the filter in memory, for the showcase. */
export function matches(filter: AuditFilter, entry: AuditEntryBody): boolean {
  const at = entry.at.getTime();
  return (
    (["actor", "action", "subject_type", "subject_id"] as const).every(
      (field) => filter[field] === undefined || filter[field] === entry[field],
    ) &&
    (filter.from === undefined || at >= Date.parse(filter.from)) &&
    (filter.to === undefined || at < Date.parse(filter.to))
  );
}

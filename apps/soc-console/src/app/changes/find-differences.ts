import { showValue } from "./show-value.ts";

export interface FieldDifference {
  name: string;
  /** Empty if the record had no such value. */
  before: string;
  /** Empty if the change removes it. */
  after: string;
}

/** Fields that the service sets are not part of a change. */
const HIDDEN = new Set(["id", "updated_at", "created_at", "sla", "closed_at"]);

/** The fields that a change modifies. Fields that the later state omits stay as they are. */
export function findDifferences(before: object, after: object): FieldDifference[] {
  const former = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, value]) => ({ name, before: showValue(former.get(name)), after: showValue(value) }))
    .filter((field) => field.before !== field.after);
}

import { showValue } from "./show-value.ts";

export interface FieldDifference {
  name: string;
  /** Empty when the record had no such value. */
  before: string;
  /** Empty when the change takes it out. */
  after: string;
}

/** What the service sets by itself says nothing about a change. */
const HIDDEN = new Set(["id", "updated_at", "created_at", "sla", "closed_at"]);

/** The fields of a record that a change sets to something else. What the later state does not name stays as it is. */
export function findDifferences(before: object, after: object): FieldDifference[] {
  const former = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, value]) => ({ name, before: showValue(former.get(name)), after: showValue(value) }))
    .filter((field) => field.before !== field.after);
}

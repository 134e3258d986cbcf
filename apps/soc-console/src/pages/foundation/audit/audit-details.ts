import type { FieldDifference } from "../../../app/changes/find-differences.ts";
import { showValue } from "../../../app/changes/show-value.ts";

export interface ReadDetails {
  /** Fields before and after the change. */
  changes: FieldDifference[];
  /** The other values of the entry. */
  facts: { name: string; value: string }[];
}

const FORMER = "previous_";

/**
 * Reads the changes of an entry: `changes` as a list of `{field, from, to}` or as an object of fields with both, and
 * `previous_<field>` beside `<field>`. Everything else is a fact.
 */
export function readDetails(details: object): ReadDetails {
  const facts = new Map<string, unknown>(Object.entries(details));
  const changes = readChanges(facts.get("changes"));
  if (changes.length > 0) facts.delete("changes");
  for (const [name, former] of [...facts]) {
    const field = name.startsWith(FORMER) ? name.slice(FORMER.length) : "";
    if (field === "" || !facts.has(field)) continue;
    const difference = { name: field, before: showValue(former), after: showValue(facts.get(field)) };
    facts.delete(name);
    if (difference.before === difference.after) continue;
    facts.delete(field);
    changes.push(difference);
  }
  return {
    changes,
    facts: [...facts]
      .map(([name, value]) => ({ name, value: showValue(value) }))
      .filter(({ value }) => value !== "" && value !== "[]"),
  };
}

function readChanges(listed: unknown): FieldDifference[] {
  if (typeof listed !== "object" || listed === null) return [];
  const named: [string, unknown][] = Array.isArray(listed)
    ? listed.map((change: unknown) => [showValue(readMember(change, "field")), change])
    : Object.entries(listed);
  return named.flatMap(([name, change]) => {
    const [before, after] = [readMember(change, "from"), readMember(change, "to")];
    if (name === "" || (before === undefined && after === undefined)) return [];
    return [{ name, before: showValue(before), after: showValue(after) }];
  });
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined;
}

/** The changes in one line, for the list. */
export function summarize({ changes, facts }: ReadDetails): string {
  const changed = changes.map(({ name, before, after }) => `${name}: ${before} → ${after}`);
  return [...changed, ...facts.map(({ name, value }) => `${name}: ${value}`)].join(" · ");
}

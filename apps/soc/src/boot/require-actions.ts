import type { Registrations } from "../foundation/base.ts";

/** Playbooks would not find an action of a part that is missing in the list `acting`. */
export function requireAllActions(known: ReadonlyMap<string, unknown>, registrations: readonly Registrations[]): void {
  const missing = registrations.flatMap((each) => each.actions ?? []).filter(({ name }) => !known.has(name));
  if (missing.length > 0) throw new Error(`actions not registered: ${missing.map(({ name }) => name).join(", ")}`);
}

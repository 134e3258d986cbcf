import type { CaseAlert } from "./cases-client.ts";

export interface CaseEntity {
  type: "host" | "user" | "address";
  value: string;
  alerts: number;
}

const KINDS = [
  ["host", "hosts"],
  ["user", "users"],
  ["address", "addresses"],
] as const;

/** The entities of the case's alerts with their alert counts, most frequent first. */
export function listEntities(alerts: readonly CaseAlert[]): CaseEntity[] {
  const found = new Map<string, CaseEntity>();
  for (const { entities } of alerts) {
    for (const [type, list] of KINDS) {
      for (const { name: value } of entities[list]) {
        const key = `${type}:${value}`;
        found.set(key, { type, value, alerts: (found.get(key)?.alerts ?? 0) + 1 });
      }
    }
  }
  return [...found.values()].toSorted((a, b) => b.alerts - a.alerts || a.value.localeCompare(b.value));
}

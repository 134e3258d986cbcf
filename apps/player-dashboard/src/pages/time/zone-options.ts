export interface ZoneRule {
  name: string;
  rule: string;
}

/** A city comes first, since that is what people look for: Buenos Aires (America, Argentina). */
export function zoneLabel(name: string): string {
  const words = name.replaceAll("_", " ").split("/");
  const city = words.at(-1) ?? name;
  return words.length > 1 ? `${city} (${words.slice(0, -1).join(", ")})` : city;
}

export function zoneOptions(zones: readonly ZoneRule[]): { value: string; label: string }[] {
  return zones
    .map(({ name }) => ({ value: name, label: zoneLabel(name) }))
    .toSorted((one, other) => (one.label < other.label ? -1 : 1));
}

/**
 * The device stores a rule, which many cities share. Prefers the city chosen here, then the phone's own, then any;
 * undefined when no city has this rule.
 */
export function findShownZone(
  rule: string,
  zones: readonly ZoneRule[],
  preferred: readonly (string | undefined)[],
): string | undefined {
  const fitting = zones.filter((zone) => zone.rule === rule).map(({ name }) => name);
  return preferred.find((name) => name !== undefined && fitting.includes(name)) ?? fitting[0];
}

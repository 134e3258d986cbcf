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
 * The device keeps a rule, which many cities share. The one that was chosen here is shown, then the phone's own, then
 * any; none when the rule is nobody's.
 */
export function findShownZone(
  rule: string,
  zones: readonly ZoneRule[],
  preferred: readonly (string | undefined)[],
): string | undefined {
  const fitting = zones.filter((zone) => zone.rule === rule).map(({ name }) => name);
  return preferred.find((name) => name !== undefined && fitting.includes(name)) ?? fitting[0];
}

/** Active suppressions first, by soonest expiry; then expired ones, most recent first. */
export function sortByEnd<Item extends { expires_at: string }>(items: readonly Item[], at: Date): Item[] {
  const end = ({ expires_at }: Item) => Date.parse(expires_at);
  const [active, ended] = [
    items.filter((item) => end(item) > at.getTime()),
    items.filter((item) => end(item) <= at.getTime()),
  ];
  return [
    ...active.toSorted((one, other) => end(one) - end(other)),
    ...ended.toSorted((one, other) => end(other) - end(one)),
  ];
}

/** `host=kiosk-7 process=upd.exe` */
export function spellCriteria(criteria: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(criteria)
    .map(([field, value]) => `${field}=${value}`)
    .join(" ");
}

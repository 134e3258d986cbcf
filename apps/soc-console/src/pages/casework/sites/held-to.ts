interface Held {
  sites?: readonly { id: string }[] | undefined;
}

/** Those who are held to a site by name. Those of all sites are not: they are held to none. */
export function filterHeldTo<Item extends Held>(items: readonly Item[], siteId: string): Item[] {
  return items.filter(({ sites }) => sites?.some(({ id }) => id === siteId) ?? false);
}

export function countUnheld(items: readonly Held[]): number {
  return items.filter(({ sites }) => sites === undefined).length;
}

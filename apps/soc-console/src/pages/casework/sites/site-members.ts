interface SiteMember {
  sites?: readonly { id: string }[] | undefined;
}

/** Members restricted to this site. Users with access to all sites are excluded. */
export function filterBySite<Item extends SiteMember>(items: readonly Item[], siteId: string): Item[] {
  return items.filter(({ sites }) => sites?.some(({ id }) => id === siteId) ?? false);
}

export function countAllSites(items: readonly SiteMember[]): number {
  return items.filter(({ sites }) => sites === undefined).length;
}

import type { Base, Registrations } from "../../foundation/base.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import { resolveSites } from "./resolve-sites.ts";
import { sitesRoutes } from "./sites.routes.ts";
import { createSitesService, type SitesServiceDeps } from "./sites.service.ts";
import { createShowcaseSitesStore, createSitesStore, createSitesWriter } from "./sites.store.ts";
import { topologyRoutes } from "./topology.routes.ts";
import { createTopologyService, type Machine } from "./topology.service.ts";

export interface SitesNeeds {
  machine: Machine;
  isInUse: SitesServiceDeps["isInUse"];
  leaveSite: SitesServiceDeps["leaveSite"];
}

export function createSites(base: Base, { machine, isInUse, leaveSite }: SitesNeeds) {
  const { runtime, changes, audit, ids } = base;
  const sites = createSitesService({
    runtime,
    stores: base.sources(createSitesStore, (showcase) => createShowcaseSitesStore(showcase.sites)),
    audit,
    ids,
    isInUse,
    leaveSite,
  });
  return {
    services: { sites, findSites: (tx: Tx, texts: readonly string[]) => createSitesStore(tx).findNames(texts) },
    registrations: {
      guards: [(app: Parameters<typeof resolveSites>[0]) => resolveSites(app, sites)],
      routes: [topologyRoutes(createTopologyService({ machine, runtime, sites })), sitesRoutes(sites, changes)],
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        const writer = createSitesWriter(tx);
        for (const site of showcase.sites) await writer.insert(site);
      },
      readers: { site: ["sites:read"] as const },
    } satisfies Registrations,
  };
}

import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller, Scope, SiteName } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { checkSite, type Site } from "./site.ts";
import type { CreateSiteRequest } from "./sites.schema.ts";
import { createSitesWriter, type SitesStore } from "./sites.store.ts";

export interface SitesServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: SitesStore; showcase: SitesStore };
  audit: Recorder;
  ids: Pick<Ids, "next">;
  /** Whether the site still has agents or devices. */
  isInUse: (tx: Tx, id: string) => Promise<boolean>;
  /** Removes the site from the users who work for it. */
  leaveSite: (tx: Tx, id: string) => Promise<void>;
}
export type SitesService = ReturnType<typeof createSitesService>;

export function createSitesService({ runtime, stores, audit, ids, isInUse, leaveSite }: SitesServiceDeps) {
  return {
    async list(scope: Scope, query: PageQuery): Promise<Page<Site>> {
      return (await runtime.choose(stores)).list(scope, query);
    },

    async all(scope: Scope): Promise<Site[]> {
      return (await runtime.choose(stores)).all(scope);
    },

    /** Returns the sites with these ids or names, regardless of the caller's sites. */
    async findNames(texts: readonly string[]): Promise<SiteName[]> {
      return (await runtime.choose(stores)).findNames(texts);
    },

    /** Whether records have this text as their site. */
    async isRecorded(text: string): Promise<boolean> {
      return (await runtime.choose(stores)).isRecorded(text);
    },

    async create(tx: Tx, caller: Caller, { name, profile }: CreateSiteRequest): Promise<Site> {
      checkSite({ name, profile });
      const site = { id: ids.next(), name, profile };
      if (!(await createSitesWriter(tx).insert(site)))
        throw new Problem("conflict", `name: site '${name}' already exists`);
      await audit.record(tx, {
        actor: caller.username,
        action: "site.created",
        subject_type: "site",
        subject_id: site.id,
        details: { name, asset_classes: profile.asset_classes },
      });
      return site;
    },

    /** The site, locked against deletion until the transaction ends. */
    async keep(tx: Tx, id: string): Promise<Site> {
      const site = await createSitesWriter(tx).keep(id);
      if (!site) throw notFound("site", id);
      return site;
    },

    async delete(tx: Tx, caller: Caller, id: string) {
      const writer = createSitesWriter(tx);
      // Lock first: a concurrent deployment to the site is then either committed and visible, or fails to find the
      // site.
      const site = await writer.lock(id);
      if (!site) throw notFound("site", id);
      if (await isInUse(tx, id)) throw new Problem("conflict", `site '${site.name}' still has agents or devices`);
      await leaveSite(tx, id);
      await writer.delete(id);
      await audit.record(tx, {
        actor: caller.username,
        action: "site.deleted",
        subject_type: "site",
        subject_id: id,
        details: { name: site.name },
      });
      return { deleted: true, id };
    },
  };
}

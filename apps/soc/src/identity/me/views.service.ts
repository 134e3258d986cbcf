import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { buildView, MAX_VIEWS_PER_USER, patchView, type View } from "./view.ts";
import type { CreateViewRequest, UpdateViewRequest, ViewsQuery } from "./views.schema.ts";
import { createViewsWriter, type ViewsStore } from "./views.store.ts";

export interface ViewsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ViewsStore; showcase: ViewsStore };
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type ViewsService = ReturnType<typeof createViewsService>;

export function createViewsService({ runtime, stores, audit, clock, ids }: ViewsServiceDeps) {
  /** The author or an administrator may change it, for example after the author has left. */
  async function lock(tx: Tx, caller: Caller, view_id: string, ifMatch: string | undefined): Promise<View> {
    const view = await createViewsWriter(tx).lock(caller, view_id);
    if (!view) throw notFound("view", view_id);
    if (view.created_by !== caller.username && caller.role !== "admin")
      throw new Problem("forbidden", `only '${view.created_by}' or an administrator may change this view`);
    requireMatch(ifMatch, view);
    return view;
  }

  /** Omits the name, which is only for those who see the view. */
  function record(tx: Tx, caller: Caller, action: string, { id, page, sharing_mode }: View): Promise<void> {
    const details = { page, sharing_mode };
    return audit.record(tx, { actor: caller.username, action, subject_type: "view", subject_id: id, details });
  }

  return {
    async list(caller: Caller, query: ViewsQuery): Promise<Page<View>> {
      return (await runtime.choose(stores)).list(caller, query);
    },

    async get(caller: Caller, view_id: string): Promise<View> {
      const view = await (await runtime.choose(stores)).find(caller, view_id);
      if (!view) throw notFound("view", view_id);
      return view;
    },

    async create(tx: Tx, caller: Caller, request: CreateViewRequest): Promise<View> {
      const view = buildView(request, ids.next(), caller.username, clock.now());
      const writer = createViewsWriter(tx);
      if ((await writer.lockAndCount(caller.username)) >= MAX_VIEWS_PER_USER)
        throw new Problem("conflict", `a user may have at most ${MAX_VIEWS_PER_USER} views`);
      await writer.insert(view);
      await record(tx, caller, "view.created", view);
      return view;
    },

    async update(tx: Tx, caller: Caller, view_id: string, patch: UpdateViewRequest, ifMatch?: string): Promise<View> {
      if (Object.keys(patch).length === 0) throw invalidField("body", "must have a field of a view");
      const view = await lock(tx, caller, view_id, ifMatch);
      const changed = patchView(view, patch, updatedAt(view, clock.now()));
      await createViewsWriter(tx).update(changed);
      await record(tx, caller, "view.updated", changed);
      return changed;
    },

    async remove(tx: Tx, caller: Caller, view_id: string, ifMatch?: string) {
      const view = await lock(tx, caller, view_id, ifMatch);
      await createViewsWriter(tx).delete(view.id);
      await record(tx, caller, "view.deleted", view);
      return { deleted: true, id: view.id };
    },
  };
}

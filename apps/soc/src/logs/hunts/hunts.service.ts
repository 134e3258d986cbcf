import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import { type Caller, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import { requireMatch, updatedAt } from "../../foundation/records/if-match.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { FoundLogs, LogsService } from "../search/logs.service.ts";
import { buildHunt, type Hunt, isKeeper, patchHunt } from "./hunt.ts";
import type { CreateHuntRequest, RunHuntQuery, UpdateHuntRequest } from "./hunts.schema.ts";
import { createHuntsWriter, type HuntsStore } from "./hunts.store.ts";

export interface HuntsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: HuntsStore; showcase: HuntsStore };
  logs: Pick<LogsService, "newest">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type HuntsService = ReturnType<typeof createHuntsService>;

const RUN_LIMIT = 50;

export function createHuntsService({ runtime, stores, logs, audit, clock, ids }: HuntsServiceDeps) {
  async function get(caller: Caller, hunt_id: string): Promise<Hunt> {
    const hunt = await (await runtime.choose(stores)).find(caller, hunt_id);
    if (!hunt) throw notFound("hunt", hunt_id);
    return hunt;
  }

  async function lock(tx: Tx, caller: Caller, hunt_id: string, ifMatch: string | undefined): Promise<Hunt> {
    const hunt = await createHuntsWriter(tx).lock(caller, hunt_id);
    if (!hunt) throw notFound("hunt", hunt_id);
    requireMatch(ifMatch, hunt);
    return hunt;
  }

  /** The title is recorded only for a hunt shared with the team: every user who may read hunts receives the events. */
  async function record(tx: Tx, caller: Caller, action: string, { id, title, sharing_mode }: Hunt): Promise<void> {
    await audit.record(tx, {
      actor: caller.username,
      action,
      subject_type: "hunt",
      subject_id: id,
      details: { sharing_mode, ...(sharing_mode === "team" && { title }) },
    });
  }

  return {
    async list(caller: Caller, query: PageQuery): Promise<Page<Hunt>> {
      return (await runtime.choose(stores)).list(caller, query);
    },

    async create(tx: Tx, caller: Caller, request: CreateHuntRequest): Promise<Hunt> {
      const hunt = buildHunt(request, ids.next(), caller.username, clock.now());
      await createHuntsWriter(tx).insert(hunt);
      await record(tx, caller, "hunt.created", hunt);
      return hunt;
    },

    /** Any caller who sees a hunt may edit it; only its author or an administrator may change the sharing. */
    async update(tx: Tx, caller: Caller, hunt_id: string, patch: UpdateHuntRequest, ifMatch?: string): Promise<Hunt> {
      if (Object.keys(patch).length === 0) throw invalidField("body", "must have a field of a hunt");
      const hunt = await lock(tx, caller, hunt_id, ifMatch);
      const isSharing = patch.sharing_mode !== undefined || patch.shared_with_roles !== undefined;
      if (isSharing && !isKeeper(hunt, caller)) {
        throw new Problem(
          "forbidden",
          `sharing_mode: only '${hunt.created_by}' or an administrator may share this hunt`,
        );
      }
      const changed = patchHunt(hunt, patch, updatedAt(hunt, clock.now()));
      await createHuntsWriter(tx).update(changed);
      await record(tx, caller, "hunt.updated", changed);
      return changed;
    },

    async remove(tx: Tx, caller: Caller, hunt_id: string, ifMatch?: string) {
      const hunt = await lock(tx, caller, hunt_id, ifMatch);
      if (!isKeeper(hunt, caller)) {
        throw new Problem("forbidden", `only '${hunt.created_by}' or an administrator may delete this hunt`);
      }
      await createHuntsWriter(tx).delete(hunt.id);
      await record(tx, caller, "hunt.deleted", hunt);
      return { deleted: true, id: hunt.id };
    },

    async run(
      caller: Caller,
      hunt_id: string,
      { limit = RUN_LIMIT, ...window }: RunHuntQuery,
      signal?: AbortSignal,
    ): Promise<{ hunt: Hunt } & FoundLogs> {
      const hunt = await get(caller, hunt_id);
      const { query, source, severity, host } = hunt;
      const asked = { query, source, severity, host, ...window };
      return { hunt, ...(await logs.newest(toScope(caller), asked, limit, signal)) };
    },
  };
}

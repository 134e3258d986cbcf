import type { Static } from "typebox";
import type { Caller } from "../../foundation/caller/caller.ts";
import { checkSharing } from "../../foundation/caller/sharing.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { buildLogCondition } from "../search/log-selection.ts";
import type { CreateHuntRequest, HuntBody, UpdateHuntRequest } from "./hunts.schema.ts";

/** A saved search of an analyst. It runs only on request, never on a schedule. */
export type Hunt = Static<typeof HuntBody>;

export const NEWEST_FIRST: Order<Hunt> = newestFirst("created_at");

export function buildHunt(request: CreateHuntRequest, id: string, created_by: string, now: Date): Hunt {
  return checked(
    {
      id,
      title: request.title,
      description: request.description ?? "",
      query: request.query ?? "",
      source: request.source ?? null,
      severity: request.severity ?? null,
      host: request.host ?? null,
      sharing_mode: request.sharing_mode ?? "private",
      shared_with_roles: request.shared_with_roles ?? [],
      tags: request.tags ?? [],
      created_by,
      created_at: now,
      updated_at: now,
    },
    now,
  );
}

export function patchHunt(hunt: Hunt, patch: UpdateHuntRequest, updated_at: Date): Hunt {
  return checked({ ...hunt, ...patch, updated_at }, updated_at);
}

function checked(hunt: Hunt, now: Date): Hunt {
  requireStorable(hunt);
  const shared_with_roles = checkSharing(hunt);
  // Refuses a wrong query on save, with the position of the mistake, and not only when the hunt runs.
  buildLogCondition(hunt, now);
  return { ...hunt, shared_with_roles, tags: [...new Set(hunt.tags)] };
}

export type HuntSharing = Pick<Hunt, "sharing_mode" | "shared_with_roles" | "created_by">;

/** The store applies the same rule to lists in SQL. */
export function isVisible({ sharing_mode, shared_with_roles, created_by }: HuntSharing, caller: Caller): boolean {
  return (
    isKeeper({ created_by }, caller) ||
    sharing_mode === "team" ||
    (sharing_mode === "roles" && shared_with_roles.includes(caller.role))
  );
}

/** Who may share or delete a hunt: its author, or an administrator, for example after the author has left. */
export function isKeeper({ created_by }: Pick<Hunt, "created_by">, { username, role }: Caller): boolean {
  return created_by === username || role === "admin";
}

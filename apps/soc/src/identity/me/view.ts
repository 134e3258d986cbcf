import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import type { Caller } from "../../foundation/caller/caller.ts";
import { checkSharing } from "../../foundation/caller/sharing.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { CreateViewRequest, UpdateViewRequest, ViewBody } from "./views.schema.ts";

/** A named configuration of what a page shows. */
export type View = Static<typeof ViewBody>;

export const NEWEST_FIRST: Order<View> = newestFirst("created_at");

export const MAX_VIEWS_PER_USER = 100;
const MAX_STATE_BYTES = 16 * 1024;

export function buildView(request: CreateViewRequest, id: string, created_by: string, now: Date): View {
  const { page, name, state = {}, sharing_mode = "private", shared_with_roles = [] } = request;
  const view = { id, page, name, state, sharing_mode, shared_with_roles, created_by, created_at: now, updated_at: now };
  return checked(view);
}

export function patchView(view: View, patch: UpdateViewRequest, updated_at: Date): View {
  return checked({ ...view, ...patch, updated_at });
}

function checked(view: View): View {
  const { name, state } = view;
  requireStorable({ name, state });
  if (Buffer.byteLength(JSON.stringify(state)) > MAX_STATE_BYTES)
    throw invalidField("state", `must be at most ${MAX_STATE_BYTES} bytes`);
  return { ...view, shared_with_roles: checkSharing(view) };
}

/**
 * Administrators see every shared view, because they may end the sharing. No other caller sees a private view. The
 * store applies the same rule to lists in SQL.
 */
export function isVisible({ sharing_mode, shared_with_roles, created_by }: View, { username, role }: Caller): boolean {
  if (created_by === username) return true;
  if (sharing_mode === "private") return false;
  return sharing_mode === "team" || role === "admin" || shared_with_roles.includes(role);
}

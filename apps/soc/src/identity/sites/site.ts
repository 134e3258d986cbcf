import { invalidField } from "@kit/problem";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { decodeCursor } from "../../foundation/lists/page.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { CreateSiteRequest, SiteBody } from "./sites.schema.ts";

export type Site = SiteBody;

/** The order of lists. */
export const ORDER = "name";

const MAX_PROFILE_BYTES = 64 * 1024;

/**
 * Checks what a schema cannot express: the size of the whole profile, and characters that the database cannot store.
 */
export function checkSite(site: CreateSiteRequest): void {
  requireStorable(site);
  if (Buffer.byteLength(JSON.stringify(site.profile)) > MAX_PROFILE_BYTES) {
    throw invalidField("profile", `must be at most ${MAX_PROFILE_BYTES} bytes`);
  }
}

/** Parses the name in the cursor of a list. */
export function nameAfter({ cursor }: PageQuery): string | undefined {
  if (cursor === undefined) return undefined;
  const name = String(decodeCursor(ORDER, cursor)[0]);
  requireStorable({ cursor: name });
  return name;
}

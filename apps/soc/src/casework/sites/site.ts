import { invalidField } from "@kit/problem";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { CreateSiteRequest, SiteBody } from "./sites.schema.ts";

export type Site = SiteBody;

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

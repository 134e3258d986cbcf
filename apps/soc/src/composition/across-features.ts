import { createActivity } from "../foundation/activity/activity.feature.ts";
import type { AuditService } from "../foundation/audit/audit.service.ts";
import type { RefreshCallers } from "../foundation/caller/caller.ts";
import { createEvents } from "../foundation/events/events.feature.ts";
import type { Feature } from "../foundation/feature.ts";
import { createSearch } from "../foundation/search/search.feature.ts";
import { createTail } from "../logs/tail/tail.feature.ts";
import { createPageFeatures, type ShownRecords } from "./page-features.ts";
import type { PlatformNeeds } from "./platform-needs.ts";

interface Given extends ShownRecords {
  auditLog: Pick<AuditService, "list">;
  refreshCallers: RefreshCallers;
}

/** Creates what spans all the given features: their events, activity, search and pages, and the tail of the logs. */
export function createAcrossFeatures(needs: PlatformNeeds, listed: readonly Feature[], given: Given) {
  const { base, logStore } = needs;
  const { refreshCallers } = given;
  const events = createEvents(base, listed, { refreshCallers, source: needs.streams?.events });
  const tail = createTail(base, { logStore, refreshCallers });
  const activity = createActivity(listed, given);
  const pages = createPageFeatures(needs, { ...given, ...activity });
  return [events, tail, activity, createSearch(base, listed), ...pages] as const;
}

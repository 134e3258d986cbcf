import { Problem } from "@kit/problem";
import type { AuditEntryBody } from "../audit/audit.schema.ts";
import type { AuditService } from "../audit/audit.service.ts";
import { type Caller, formatRefusal, isCallerAllowed, toScope } from "../caller/caller.ts";
import { type EventReaders, type EventSights, findNeeds, listReadable } from "../events/event.ts";
import { DEFAULT_LIMIT, type Page } from "../lists/page.ts";
import type { ActivityQuery } from "./activity.schema.ts";

export interface ActivityServiceDeps {
  auditLog: Pick<AuditService, "list">;
  readers: EventReaders;
  sights: EventSights;
}
export type ActivityService = ReturnType<typeof createActivityService>;

/** Lists the history of a record to every caller who may read the record. */
export function createActivityService({ auditLog, readers, sights }: ActivityServiceDeps) {
  /**
   * For a caller restricted to sites, a record outside those sites has no entries, like a record that does not exist.
   */
  async function listSeen(caller: Caller, query: ActivityQuery): Promise<Page<AuditEntryBody>> {
    const { subject_type, subject_id, skip = 0, limit = DEFAULT_LIMIT } = query;
    const sight = sights.get(subject_type);
    if (!sight || sight.by !== undefined) throw new Problem("forbidden", "subject_type: requires access to all sites");
    const nouns = (listReadable(caller, readers) ?? [...sights.keys()]).filter((noun) => sights.has(noun));
    const isSeen = (await sight.filter(toScope(caller), [subject_id])).has(subject_id);
    return isSeen ? auditLog.list(query, nouns) : { items: [], total: 0, skip, limit, next_cursor: null };
  }

  return {
    async list(caller: Caller, query: ActivityQuery): Promise<Page<AuditEntryBody>> {
      const { subject_type } = query;
      const needs = findNeeds(subject_type, readers);
      if (!isCallerAllowed(caller, needs)) throw new Problem("forbidden", formatRefusal(caller, needs));
      if (caller.sites) return listSeen(caller, query);
      return auditLog.list(query, listReadable(caller, readers));
    },
  };
}

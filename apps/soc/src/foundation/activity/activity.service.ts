import { Problem } from "@kit/problem";
import type { AuditEntryBody } from "../audit/audit.schema.ts";
import type { AuditService } from "../audit/audit.service.ts";
import { type Caller, formatRefusal, isCallerAllowed } from "../caller/caller.ts";
import { type EventReaders, findNeeds, listReadable } from "../events/event.ts";
import type { Page } from "../lists/page.ts";
import type { ActivityQuery } from "./activity.schema.ts";

export interface ActivityServiceDeps {
  auditLog: Pick<AuditService, "list">;
  readers: EventReaders;
}
export type ActivityService = ReturnType<typeof createActivityService>;

/** What happened to one record, for everyone who may read the record. */
export function createActivityService({ auditLog, readers }: ActivityServiceDeps) {
  return {
    async list(caller: Caller, query: ActivityQuery): Promise<Page<AuditEntryBody>> {
      const { subject_type } = query;
      const needs = findNeeds(subject_type, readers);
      if (!isCallerAllowed(caller, needs)) throw new Problem("forbidden", formatRefusal(caller, needs));
      return auditLog.list(query, listReadable(caller, readers));
    },
  };
}

import type { Base, Registrations } from "../../foundation/base.ts";
import type { RefreshCallers } from "../../foundation/caller/caller.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { tailRoutes } from "./tail.routes.ts";
import { createTailService } from "./tail.service.ts";

export interface TailNeeds {
  logStore: Pick<LogStore, "lane">;
  refreshCallers: RefreshCallers;
}

/** The live tail of the logs. */
export function createTail({ runtime, clock, log }: Base, { logStore, refreshCallers }: TailNeeds) {
  const tail = createTailService({ runtime, logs: logStore.lane("people"), refreshCallers, clock, log });
  return { services: {}, registrations: { routes: [tailRoutes(tail)] } satisfies Registrations };
}

import type { Base } from "../../foundation/base.ts";
import type { Registrations } from "../../foundation/registrations.ts";
import { caseSlaRoutes } from "./case-sla.routes.ts";
import { createCaseSlaService } from "./case-sla.service.ts";
import { createShowcaseCaseSla } from "./case-sla.showcase.ts";
import { createCaseSlaStore } from "./case-sla.store.ts";

const MAX_NOTICES = 500;

/** The targets of cases, by severity. */
export function createCaseSla(base: Base) {
  const { db, runtime, changes, audit } = base;
  const stores = base.sources(createCaseSlaStore, createShowcaseCaseSla);
  return {
    services: {
      /** Open cases whose time is nearly or just over, the most urgent first. */
      listNear: () => createCaseSlaStore(db).listNear(MAX_NOTICES),
    },
    registrations: {
      routes: [caseSlaRoutes(createCaseSlaService({ runtime, stores, audit }), changes)],
      readers: { case_sla: ["cases:read"] as const },
    } satisfies Registrations,
  };
}

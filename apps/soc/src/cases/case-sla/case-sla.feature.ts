import type { Base, Registrations } from "../../foundation/base.ts";
import { caseSlaRoutes } from "./case-sla.routes.ts";
import { createCaseSlaService } from "./case-sla.service.ts";
import { createCaseSlaStore, createShowcaseCaseSla } from "./case-sla.store.ts";

const MAX_NOTICES = 500;

/** SLA targets of cases by severity. */
export function createCaseSla(base: Base) {
  const { db, runtime, changes, audit } = base;
  const stores = base.sources(createCaseSlaStore, createShowcaseCaseSla);
  return {
    services: {
      /** Lists open cases close to or just past a deadline, most urgent first. */
      listNear: () => createCaseSlaStore(db).listNear(MAX_NOTICES),
    },
    registrations: {
      routes: [caseSlaRoutes(createCaseSlaService({ runtime, stores, audit }), changes)],
      readers: { case_sla: ["cases:read"] as const },
    } satisfies Registrations,
  };
}

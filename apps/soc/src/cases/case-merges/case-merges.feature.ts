import type { AlertChanges } from "../../alerts/module.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import type { FindOpenApproval } from "../cases/case-decisions.service.ts";
import type { CaseLedger } from "../cases/cases.service.ts";
import { caseMergesRoutes } from "./case-merges.routes.ts";
import { createCaseMergesService } from "./case-merges.service.ts";

export interface CaseMergesNeeds {
  alerts: AlertChanges;
  ledger: CaseLedger;
  findOpenApproval?: FindOpenApproval;
}

/** Merges several cases that concern the same incident. */
export function createCaseMerges({ audit, clock, changes }: Base, needs: CaseMergesNeeds) {
  const merges = createCaseMergesService({ ...needs, audit, clock });
  return { services: {}, registrations: { routes: [caseMergesRoutes(merges, changes)] } satisfies Registrations };
}

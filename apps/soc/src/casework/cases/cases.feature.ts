import type { Base } from "../../foundation/base.ts";
import type { AlertChanges } from "../alerts/alert-changes.ts";
import { caseItemsRoutes } from "./case-items.routes.ts";
import { createCaseItemsService } from "./case-items.service.ts";
import { createCaseReads } from "./case-reads.store.ts";
import { createCaseActions } from "./cases.actions.ts";
import { casesRoutes } from "./cases.routes.ts";
import { type CaseLedger, createCasesService } from "./cases.service.ts";
import { createShowcaseCaseReads } from "./cases.showcase.ts";
import { evidenceRoutes } from "./evidence.routes.ts";
import { createEvidenceService } from "./evidence.service.ts";

export interface CasesNeeds {
  alerts: AlertChanges;
  ledger: CaseLedger;
}

const READERS = ["cases:read"] as const;

export function createCases(base: Base, { alerts, ledger }: CasesNeeds) {
  const { runtime, changes, audit, clock, ids } = base;
  const cases = createCasesService({
    runtime,
    reads: base.sources(createCaseReads, (showcase) => createShowcaseCaseReads(showcase.cases)),
    audit,
    alerts,
    ledger,
    clock,
    ids,
  });
  const items = createCaseItemsService({ cases, audit, clock, ids });
  const evidence = createEvidenceService({ cases, ledger, audit, clock, ids });
  return {
    cases,
    items,
    evidence,
    routes: [casesRoutes(cases, changes), caseItemsRoutes(items, changes), evidenceRoutes(evidence, changes)],
    actions: createCaseActions({ alerts, cases, items }),
    readers: {
      case: READERS,
      comment: READERS,
      custody: READERS,
      evidence: READERS,
      observable: READERS,
      task: READERS,
    },
  };
}

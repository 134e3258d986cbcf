import type { AlertChanges } from "../../alerts/module.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import { type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { createSiteFinder, findOrSearch } from "../../foundation/search/finder.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { Case, WholeCase } from "./case.ts";
import { createCaseDecisionsService, type FindOpenApproval } from "./case-decisions.service.ts";
import { caseItemEditsRoutes } from "./case-item-edits.routes.ts";
import { createCaseItemEditsService } from "./case-item-edits.service.ts";
import { caseItemsRoutes } from "./case-items.routes.ts";
import { createCaseItemsService } from "./case-items.service.ts";
import { createCaseItemsStore } from "./case-items.store.ts";
import { createCaseReads } from "./case-reads.store.ts";
import { createCaseActions } from "./cases.actions.ts";
import { casesRoutes } from "./cases.routes.ts";
import { CaseBody } from "./cases.schema.ts";
import { type CaseLedger, createCasesService } from "./cases.service.ts";
import { createShowcaseCaseReads } from "./cases.showcase.ts";
import { createCasesStore } from "./cases.store.ts";
import { evidenceRoutes } from "./evidence.routes.ts";
import { createEvidenceService } from "./evidence.service.ts";
import { createEvidenceStore } from "./evidence.store.ts";

export interface CasesNeeds {
  alerts: AlertChanges;
  ledger: CaseLedger;
  findOpenApproval?: FindOpenApproval;
}

const READERS = ["cases:read"] as const;
const MAX_DUE = 500;

export function createCases(base: Base, { alerts, ledger, findOpenApproval }: CasesNeeds) {
  const { db, runtime, changes, audit, clock, ids } = base;
  const cases = createCasesService({
    runtime,
    reads: base.sources(createCaseReads, (showcase) => createShowcaseCaseReads(showcase.cases)),
    audit,
    alerts,
    ledger,
    findOpenApproval,
    clock,
    ids,
  });
  const items = createCaseItemsService({ cases, audit, clock, ids });
  const edits = createCaseItemEditsService({ cases, audit, clock });
  const filter = (scope: Scope, ids: readonly string[]) => cases.filter(scope, ids);
  const item = { by: "case_id", filter };
  const evidence = createEvidenceService({ cases, ledger, audit, clock, ids });
  return {
    services: {
      caseBody: CaseBody,
      cases,
      items,
      evidence,
      decisions: createCaseDecisionsService({ audit, clock }),
      listDue: (from: Date, to: Date) => createCasesStore(db).listDue(from, to, MAX_DUE),
    },
    registrations: {
      routes: [
        casesRoutes(cases, changes),
        caseItemsRoutes(items, changes),
        caseItemEditsRoutes(edits, changes),
        evidenceRoutes(evidence, changes),
      ],
      actions: createCaseActions({ alerts, cases, items }),
      async storeDemo(tx: Tx, showcase: Showcase): Promise<void> {
        for (const each of showcase.cases) await storeCase(tx, each);
      },
      readers: {
        case: READERS,
        comment: READERS,
        custody: READERS,
        evidence: READERS,
        observable: READERS,
        task: READERS,
      },
      sights: {
        case: { filter },
        comment: item,
        custody: item,
        evidence: item,
        observable: item,
        task: item,
      },
      finders: [
        createSiteFinder("case", READERS, async (caller, q, limit) => {
          const scope = toScope(caller);
          const found = await findOrSearch<Case>(
            q,
            (id) => cases.get(scope, id),
            () => cases.list(scope, { q, limit }),
          );
          return found.map(({ id, title, status, updated_at: at }) => ({ id, title, subtitle: status, at }));
        }),
      ],
    } satisfies Registrations,
  };
}

async function storeCase(tx: Tx, whole: WholeCase): Promise<void> {
  const { timeline, observables, evidence, comments, tasks, ...opened } = whole;
  const { id } = opened;
  const [cases, items, exhibits] = [createCasesStore(tx), createCaseItemsStore(tx), createEvidenceStore(tx)];
  // The alerts are stored later and add their sites.
  await cases.insert(opened, []);
  for (const entry of timeline) await cases.addToTimeline(id, entry);
  for (const observable of observables) await items.insertObservable(id, observable);
  for (const comment of comments) await items.insertComment(id, comment);
  for (const task of tasks) await items.insertTask(id, task);
  for (const { custody_entries, custody_total: _, ...registered } of evidence) {
    await exhibits.insert(id, registered);
    await exhibits.addCustody(registered.id, custody_entries);
  }
}

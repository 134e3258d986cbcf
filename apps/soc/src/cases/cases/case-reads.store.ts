import type { Db } from "../../foundation/database/tables.ts";
import { type CaseItemsStore, createCaseItemsStore } from "./case-items.store.ts";
import { type CasesStore, createCasesStore } from "./cases.store.ts";
import { createEvidenceStore, type EvidenceStore } from "./evidence.store.ts";
import { createItemVersionsStore, type ItemVersionsStore } from "./item-versions.store.ts";

/** All reads of cases, from the database or from the showcase. */
export type CaseReads = Pick<CasesStore, "list" | "find" | "filter" | "sites" | "mergedFrom" | "timeline"> &
  Pick<CaseItemsStore, "observables" | "comments" | "tasks"> & {
    evidence: EvidenceStore["list"];
    history: ItemVersionsStore["list"];
  };

export function createCaseReads(db: Db): CaseReads {
  const evidence = createEvidenceStore(db);
  return {
    ...createCasesStore(db),
    ...createCaseItemsStore(db),
    evidence: (case_id, query) => evidence.list(case_id, query),
    history: (case_id, query) => createItemVersionsStore(db).list(case_id, query),
  };
}

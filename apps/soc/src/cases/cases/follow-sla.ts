import type { Tx } from "../../foundation/database/tables.ts";
import { createCaseSlaStore } from "../case-sla/case-sla.store.ts";
import { followStatus, judgeSla, NO_SLA, type Sla, setDeadlines } from "../case-sla/sla.ts";
import type { Case } from "./case.ts";
import { createCasesStore } from "./cases.store.ts";

type SlaFields = Pick<Case, "id" | "status" | "severity" | "created_at" | "updated_at">;

/** Updates the SLA times of a case for a change. A new severity changes the targets unless the case has its own. */
export async function followSla(tx: Tx, current: Case, next: SlaFields): Promise<Sla> {
  const { created_at, updated_at } = next;
  const times = followStatus(current.sla ?? NO_SLA, next.status, updated_at);
  const isSame = next.severity === current.severity || (await createCasesStore(tx).hasOwnSla(next.id));
  if (isSame) return judgeSla(times, created_at, updated_at);
  const targets = await createCaseSlaStore(tx).find(next.severity);
  return judgeSla(setDeadlines(times, targets, created_at), created_at, updated_at);
}

import type { Clock } from "@kit/clock";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Case } from "../cases/case.ts";
import { createCasesStore } from "../cases/cases.store.ts";
import { createCaseSlaStore } from "./case-sla.store.ts";
import { followStatus, judgeSla, NO_SLA, type Sla, setDeadlines } from "./sla.ts";

/** The times of a case after a change. Another severity has other targets, unless the case has its own. */
export function createSlaFollower(clock: Pick<Clock, "now">) {
  return async (tx: Tx, current: Case, next: Pick<Case, "id" | "status" | "severity" | "created_at">): Promise<Sla> => {
    const now = clock.now();
    const times = followStatus(current.sla ?? NO_SLA, next.status, now);
    const isSame = next.severity === current.severity || (await createCasesStore(tx).hasOwnSla(next.id));
    if (isSame) return judgeSla(times, next.created_at, now);
    const targets = await createCaseSlaStore(tx).find(next.severity);
    return judgeSla(setDeadlines(times, targets, next.created_at), next.created_at, now);
  };
}

import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { createAlertChanges } from "../src/alerts/alert-changes.service.ts";
import { createAlertsService } from "../src/alerts/alerts.service.ts";
import { createShowcaseAlertsStore } from "../src/alerts/alerts.store.ts";
import { createAuditService } from "../src/audit/audit.service.ts";
import { createShowcaseEntriesStore } from "../src/audit/entries.store.ts";
import { createCasesService } from "../src/cases/cases.service.ts";
import { createShowcaseCaseReads } from "../src/cases/showcase-cases.store.ts";
import { createLedgerService } from "../src/ledger/ledger.service.ts";
import { createShowcaseLedgerStore } from "../src/ledger/showcase-ledger.store.ts";
import type { ResponseFact } from "../src/reports/report-investigation.ts";
import { createReportMaker } from "../src/reports/report-maker.service.ts";
import { showcaseOf } from "../src/showcase/showcase.ts";
import { createStatsService } from "../src/stats/stats.service.ts";
import { createShowcaseStatsStore } from "../src/stats/stats.store.ts";
import { NOTHING_ELSE } from "../src/stats/stats.ts";
import { createSampleKey } from "./sample-ledger.ts";

const both = <Source>(source: Source) => ({ database: source, showcase: source });
const noChange = async () => {
  throw new Error("nothing is changed here");
};

/** Makes reports of the showcase as it is told at that time, without a server or a database. */
export function createShowcaseMaker(now: Date, responses: readonly ResponseFact[] = []) {
  const clock = createFakeClock(now);
  const ids = createIds(clock);
  const showcase = showcaseOf(now);
  const runtime = { choose: async <Source>(sources: { showcase: Source }) => sources.showcase };
  const audit = { record: noChange };
  const key = createSampleKey();
  const ledger = createLedgerService({
    runtime,
    stores: both(createShowcaseLedgerStore(showcase.ledger, key)),
    key,
    clock,
  });
  const changes = createAlertChanges({ audit, clock });
  const cases = createCasesService({
    runtime,
    reads: both(createShowcaseCaseReads(showcase.cases)),
    audit,
    alerts: changes,
    ledger,
    clock,
    ids,
  });
  return createReportMaker({
    cases,
    alerts: createAlertsService({
      runtime,
      stores: both(createShowcaseAlertsStore(showcase.alerts)),
      changes,
      cases,
      audit,
      clock,
      ids,
    }),
    ledger,
    stats: createStatsService({
      runtime,
      stores: both(createShowcaseStatsStore(showcase, NOTHING_ELSE)),
      topRules: async () => [],
      clock,
    }),
    audit: createAuditService({ runtime, stores: both(createShowcaseEntriesStore(showcase.audit)) }),
    responses: async () => responses,
    clock,
  });
}

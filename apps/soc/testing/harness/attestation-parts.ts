import { join } from "node:path";
import { createAlertChanges } from "../../src/alerts/alerts/alert-changes.ts";
import { createAlerts } from "../../src/alerts/module.ts";
import { createCases } from "../../src/cases/cases/cases.feature.ts";
import { createLedger } from "../../src/cases/ledger/ledger.feature.ts";
import { type AttestationNeeds, createAttestation } from "../../src/devices/attestation/attestation.feature.ts";
import type { Base } from "../../src/foundation/base.ts";
import { compileAlertQuery } from "../../src/logs/query/alert-query.ts";
import { createSampleKey } from "../fixtures/sample-ledger.ts";

export type AttestationPlace = Pick<AttestationNeeds, "broker"> & { dataFolder: string };

/** The feature with its dependencies: alerts, cases and the ledger. */
export function createAttestationParts(base: Base, { dataFolder, broker }: AttestationPlace) {
  const ledger = createLedger(base, { key: createSampleKey(), checkpointFile: join(dataFolder, "checkpoints") });
  const alertChanges = createAlertChanges(base);
  const cases = createCases(base, { ...ledger.services, alerts: alertChanges });
  const alerts = createAlerts(base, { ...cases.services, changes: alertChanges, compileQuery: compileAlertQuery });
  return {
    ledger,
    feature: createAttestation(base, { ...alerts.services, ...ledger.services, broker, holdChange: undefined }),
  };
}

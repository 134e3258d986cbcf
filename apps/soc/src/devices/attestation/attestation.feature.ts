import type { AlertsService } from "../../alerts/module.ts";
import type { LedgerService } from "../../cases/module.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import type { HoldChange } from "../../foundation/held-changes.ts";
import { attestationRoutes } from "./attestation.routes.ts";
import { createAttestationService } from "./attestation.service.ts";
import { createAttestationWorker } from "./attestation.worker.ts";
import { createAttestationRequestsWriter } from "./attestation-requests.store.ts";
import { createAttestedDevicesWriter } from "./attested-devices.store.ts";
import { firmwareCatalogRoutes } from "./firmware-catalog.routes.ts";
import { createFirmwareCatalogService } from "./firmware-catalog.service.ts";

export interface AttestationNeeds {
  alerts: Pick<AlertsService, "create">;
  ledger: Pick<LedgerService, "append">;
  holdChange: HoldChange;
  /** Undefined if no broker is configured; devices are then not asked every hour. */
  broker?: (() => Promise<unknown>) | undefined;
}

const KEPT_MS = 90 * 24 * 60 * 60_000;
const SWEEP_BATCH_SIZE = 1000;

export function createAttestation(base: Base, { alerts, ledger, broker, holdChange }: AttestationNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const attestation = createAttestationService({ db, runtime, alerts, ledger, audit, clock, ids });
  const catalog = createFirmwareCatalogService({ holdChange, audit, clock, ids });
  const before = () => new Date(clock.now().getTime() - KEPT_MS);
  return {
    services: { attestation, catalog },
    registrations: {
      routes: [attestationRoutes(attestation, changes), firmwareCatalogRoutes(catalog, changes)],
      readers: { attestation_request: ["cps:read"] as const, firmware: ["cps:read"] as const },
      sweeps: [
        {
          name: "attestation requests",
          run: () => createAttestationRequestsWriter(db).deleteEnded(before(), SWEEP_BATCH_SIZE),
        },
        {
          name: "attestation challenges",
          run: () => createAttestedDevicesWriter(db).deleteChallenges(clock.now(), SWEEP_BATCH_SIZE),
        },
      ],
      createWork: () => ({
        background: () => [
          createAttestationWorker({ runtime, attestation, hasBroker: broker !== undefined, clock, log }),
        ],
      }),
    } satisfies Registrations,
  };
}

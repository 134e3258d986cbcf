import type { AlertsService } from "../../alerts/module.ts";
import type { CasesService } from "../../cases/module.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import type { Consumption, EventStream } from "../../foundation/events/event-stream.ts";
import type { DevicesService } from "../registry/devices.service.ts";
import { correlationsRoutes } from "./correlations.routes.ts";
import { createCorrelationsService } from "./correlations.service.ts";
import { createShowcaseCorrelations } from "./correlations.showcase.ts";
import { createCorrelationsStore, createCorrelationsWriter } from "./correlations.store.ts";
import { consumeRecords, createCorrelating } from "./correlations.worker.ts";

export interface CorrelationsNeeds {
  alerts: AlertsService;
  cases: CasesService;
  devices: Pick<DevicesService, "get">;
  outbox: EventStream;
}

const DAY_MS = 24 * 60 * 60_000;
/** Twice the period within which records are compared. */
const ENTITIES_RETENTION_MS = 2 * DAY_MS;
const RETENTION_MS = 365 * DAY_MS;
const SWEEP_BATCH_SIZE = 1000;

/** Groups alerts and attestations that share a device, host, user, address, hash or indicator. */
export function createCorrelations(base: Base, { alerts, cases, devices, outbox }: CorrelationsNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const stores = base.sources(createCorrelationsStore, createShowcaseCorrelations);
  const correlations = createCorrelationsService({ runtime, stores, cases, alerts, audit, clock, ids });
  const before = (retentionMs: number) => new Date(clock.now().getTime() - retentionMs);
  const writer = () => createCorrelationsWriter(db);

  function createWork() {
    const correlate = createCorrelating({ db, alerts, devices, correlations });
    let consumption: Consumption | undefined;
    const background = {
      start() {
        consumption ??= consumeRecords(outbox, correlate, log);
      },
      close: async () => consumption?.close(),
    };
    return { background: () => [background] };
  }

  return {
    services: { correlations },
    registrations: {
      routes: [correlationsRoutes(correlations, changes)],
      readers: { correlation: ["cps:read"] as const },
      sweeps: [
        {
          name: "entities of records",
          run: () => writer().forgetEntities(before(ENTITIES_RETENTION_MS), SWEEP_BATCH_SIZE),
        },
        { name: "correlations", run: () => writer().deleteOld(before(RETENTION_MS), SWEEP_BATCH_SIZE) },
      ],
      createWork,
    } satisfies Registrations,
  };
}

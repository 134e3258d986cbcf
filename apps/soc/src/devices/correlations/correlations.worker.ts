import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { AlertsService } from "../../alerts/module.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { Consumption, EventStream, StreamEvent } from "../../foundation/events/event-stream.ts";
import type { DevicesService } from "../registry/devices.service.ts";
import type { RatedRecord } from "./correlation.ts";
import type { CorrelationsService } from "./correlations.service.ts";
import { listAlertEntities, listDeviceEntities } from "./shared-entity.ts";

export interface CorrelatingDeps {
  db: Kysely<Tables>;
  alerts: Pick<AlertsService, "get">;
  devices: Pick<DevicesService, "get">;
  correlations: Pick<CorrelationsService, "consider">;
}

const ALERT_EVENTS: readonly string[] = ["alert.created", "alert.reopened"];
/** The subject is the device; the data is the attestation. */
const VERDICT_EVENT = "device.verdict_changed";
const REJECTED: readonly unknown[] = ["untrusted", "failed"];
const EVENTS_BATCH_SIZE = 100;
const MAX_ATTEMPTS = 10;

/** Groups each new alert and each rejected attestation. */
export function createCorrelating({ db, alerts, devices, correlations }: CorrelatingDeps) {
  async function readRecord(event: StreamEvent): Promise<RatedRecord | undefined> {
    if (ALERT_EVENTS.includes(event.type)) return readAlert(event.subject_id);
    return event.type === VERDICT_EVENT ? readAttestation(event) : undefined;
  }

  async function readAlert(id: string): Promise<RatedRecord> {
    const alert = await alerts.get(ALL_SITES, id);
    const at = alert.event_last_at ?? alert.last_seen;
    return { kind: "alert", id, at, severity: alert.severity, entities: listAlertEntities(alert) };
  }

  async function readAttestation({ subject_id, at, data }: StreamEvent): Promise<RatedRecord | undefined> {
    const { id: attestation_id, verdict }: { id?: unknown; verdict?: unknown } = data;
    if (typeof attestation_id !== "string" || !REJECTED.includes(verdict)) return undefined;
    const { id, name, firmware } = await devices.get(ALL_SITES, subject_id);
    const entities = listDeviceEntities({ id, name, hash: firmware.hash });
    return { kind: "attestation", id: attestation_id, at: new Date(at), severity: "high", entities };
  }

  return async function correlate(event: StreamEvent): Promise<void> {
    try {
      const record = await readRecord(event);
      if (record) await db.transaction().execute((tx) => correlations.consider(tx, record));
    } catch (error) {
      // The record was deleted in the meantime.
      if (!(error instanceof Problem) || error.kind !== "not_found") throw error;
    }
  };
}

export function consumeRecords(
  outbox: Pick<EventStream, "consume">,
  correlate: (event: StreamEvent) => Promise<void>,
  log: Pick<Log, "error">,
): Consumption {
  return outbox.consume({
    name: "correlations",
    from: "next",
    most: EVENTS_BATCH_SIZE,
    async handle({ events, attempt }) {
      for (const event of events) {
        await correlate(event).catch((error: unknown) => {
          if (attempt < MAX_ATTEMPTS) throw error;
          log.error({ err: error, event: event.id, subject_id: event.subject_id }, "correlation of record failed");
        });
      }
    },
  });
}

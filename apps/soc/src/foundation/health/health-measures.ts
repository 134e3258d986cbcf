import type { Measure } from "@kit/http/metrics";
import type { SystemHealthBody } from "./health.schema.ts";
import type { HealthService } from "./health.service.ts";

/** The fields of `GET /system/health` as metrics. A disabled part has no value. */
export function listHealthMeasures({ recent }: Pick<HealthService, "recent">): Measure[] {
  const read = (toReading: (health: SystemHealthBody) => ReturnType<Measure["read"]>) => async () =>
    toReading(await recent());
  return [
    {
      name: "healthy",
      help: "1 while GET /api/v1/system/health answers ok, 0 while it answers degraded.",
      kind: "gauge",
      read: read(({ status }) => Number(status === "ok")),
    },
    {
      name: "part_up",
      help: "1 while the part answers; the worker is up while one leads the stream of new logs.",
      kind: "gauge",
      label: "part",
      read: read(({ database, log_engine, worker }) => listUp({ database, log_engine, worker })),
    },
    {
      name: "part_restarts",
      help: "Restarts of a child of this process in the last 24 hours.",
      kind: "gauge",
      label: "part",
      read: read(({ log_engine, worker }) => ({ log_engine: log_engine.restarts_24h, worker: worker.restarts_24h })),
    },
    {
      name: "log_stores_missing",
      help: "Of several log stores, those that do not answer.",
      kind: "gauge",
      read: read(({ log_engine }) => log_engine.missing_stores?.length ?? 0),
    },
    {
      name: "detection_lag_seconds",
      help: "For how much ingest time logs have not been evaluated by the rules.",
      kind: "gauge",
      read: read(({ stream_lag_s }) => stream_lag_s ?? undefined),
    },
    {
      name: "outbox_age_seconds",
      help: "Age of the oldest change of which no reader of events knows yet.",
      kind: "gauge",
      read: read(({ event_delay_s }) => event_delay_s ?? undefined),
    },
    {
      name: "clock_offset_seconds",
      help: "How far the clock of this host is ahead of the database's.",
      kind: "gauge",
      read: read(({ clock }) => (clock.offset_ms === null ? undefined : clock.offset_ms / 1000)),
    },
    {
      name: "alarm",
      help: "1 while the ledger, the audit log or the revocation list of the devices reports an alarm.",
      kind: "gauge",
      label: "part",
      read: read(({ ledger, audit, devices }) => ({
        ledger: Number(ledger.alarm !== null),
        audit: Number(audit.alarm !== null),
        devices: Number(devices.alarm !== null),
      })),
    },
  ];
}

function listUp(parts: Record<string, { state: "up" | "down" | "off" }>): Record<string, number> {
  const used = Object.entries(parts).filter(([, { state }]) => state !== "off");
  return Object.fromEntries(used.map(([part, { state }]) => [part, Number(state === "up")]));
}

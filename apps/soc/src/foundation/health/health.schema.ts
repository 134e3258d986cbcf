import Type, { type Static } from "typebox";

export const HealthBody = Type.Object(
  {
    status: Type.Enum(["ok"]),
    version: Type.String(),
    uptime_s: Type.Integer(),
  },
  { title: "Health" },
);

export const ReadyBody = Type.Object({ status: Type.Enum(["ready"]) }, { title: "Ready" });

const ChildBody = Type.Object(
  {
    state: Type.Enum(["up", "down", "off"]),
    restarts_24h: Type.Integer(),
    last_reason: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "ChildProcess" },
);

export const SystemHealthBody = Type.Object(
  {
    status: Type.Enum(["ok", "degraded"]),
    database: Type.Object({ state: Type.Enum(["up", "down", "off"]) }),
    log_engine: Type.Object({
      ...ChildBody.properties,
      missing_stores: Type.Optional(
        Type.Array(Type.String(), { description: "of several log stores, those that do not answer" }),
      ),
    }),
    worker: ChildBody,
    stream_lag_s: Type.Union([Type.Number(), Type.Null()]),
    event_delay_s: Type.Union([Type.Number(), Type.Null()]),
    clock: Type.Object({ offset_ms: Type.Union([Type.Integer(), Type.Null()]) }),
    ledger: Type.Object({ alarm: Type.Union([Type.String(), Type.Null()]) }),
    audit: Type.Object({
      alarm: Type.Union([Type.String(), Type.Null()], {
        description: "the audit entries that do not match the ledger, or the receivers that do not accept entries",
      }),
      lag_s: Type.Union([Type.Number(), Type.Null()], {
        description: "age of the oldest audit entry that has not joined the ledger",
      }),
      failing_receivers: Type.Array(Type.String()),
    }),
    devices: Type.Object({ alarm: Type.Union([Type.String(), Type.Null()]) }),
    disks: Type.Object({ full: Type.Array(Type.Enum(["data", "database"])) }),
  },
  { title: "SystemHealth" },
);
export type SystemHealthBody = Static<typeof SystemHealthBody>;

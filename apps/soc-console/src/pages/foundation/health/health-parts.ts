import type { Tone } from "../../../design/chip.tsx";
import type { Health } from "./health-client.ts";

export type PartName =
  | "database"
  | "logStore"
  | "worker"
  | "stream"
  | "events"
  | "clock"
  | "disks"
  | "ledger"
  | "audit"
  | "devices";
/** The state of a part. Each state has a text and instructions. */
export type PartState = "up" | "down" | "off" | "restarted" | "behind" | "partial" | "wrong" | "unknown" | "alarm";

export interface HealthPart {
  name: PartName;
  state: PartState;
  tone: Tone;
  /** Restarts of the last day, with the reason of the last one. */
  restarts?: { count: number; reason: string | null };
  /** Lag of the rules or of the events. */
  lagMs?: number;
  /** Difference between the clocks of the service and the database. */
  offsetMs?: number;
  /** The log stores that do not respond, of several. */
  missing?: readonly string[];
  /** The error message of the service. */
  alarm?: string;
}

const TONES: Readonly<Record<PartState, Tone>> = {
  up: "ok",
  down: "failed",
  off: "plain",
  restarted: "waiting",
  behind: "failed",
  partial: "failed",
  wrong: "failed",
  unknown: "waiting",
  alarm: "failed",
};

/** As in the service: `status` is degraded above this lag. */
const MAX_LAG_S = 60;
/** As in the service, for audit entries that have not joined the ledger. */
const MAX_AUDIT_LAG_S = 300;
/** Above it, the service refuses writes. */
const MAX_CLOCK_OFFSET_MS = 500;

function makePart(name: PartName, state: PartState, rest: Partial<HealthPart> = {}): HealthPart {
  return { name, state, tone: TONES[state], ...rest };
}

function readChild(name: PartName, { state, restarts_24h, last_reason }: Health["worker"]): HealthPart {
  if (restarts_24h === 0) return makePart(name, state);
  const restarts = { count: restarts_24h, reason: last_reason };
  return makePart(name, state === "up" ? "restarted" : state, { restarts });
}

function readLogStore({ log_engine }: Health): HealthPart {
  const { missing_stores: missing = [] } = log_engine;
  const part = readChild("logStore", log_engine);
  return missing.length > 0 && part.state !== "down" ? makePart("logStore", "partial", { missing }) : part;
}

function readClock({ database, clock: { offset_ms } }: Health): HealthPart {
  if (database.state === "off") return makePart("clock", "off");
  if (offset_ms === null) return makePart("clock", "unknown");
  const isWrong = Math.abs(offset_ms) > MAX_CLOCK_OFFSET_MS;
  return isWrong ? makePart("clock", "wrong", { offsetMs: Math.abs(offset_ms) }) : makePart("clock", "up");
}

function readStream({ worker, stream_lag_s }: Health): HealthPart {
  if (worker.state === "off") return makePart("stream", "off");
  if (stream_lag_s === null) return makePart("stream", "unknown");
  const lagMs = stream_lag_s * 1000;
  return makePart("stream", stream_lag_s > MAX_LAG_S ? "behind" : "up", { lagMs });
}

function readEvents({ database, event_delay_s }: Health): HealthPart {
  if (database.state === "off") return makePart("events", "off");
  if (event_delay_s === null) return makePart("events", "unknown");
  return makePart("events", event_delay_s > MAX_LAG_S ? "behind" : "up", { lagMs: event_delay_s * 1000 });
}

function readAlarm(name: PartName, { alarm }: { alarm: string | null }): HealthPart {
  return alarm === null ? makePart(name, "up") : makePart(name, "alarm", { alarm });
}

function readAudit({ worker, audit: { alarm, lag_s } }: Health): HealthPart {
  if (alarm !== null) return makePart("audit", "alarm", { alarm });
  if (worker.state === "off") return makePart("audit", "off");
  if (lag_s === null) return makePart("audit", "unknown");
  return lag_s > MAX_AUDIT_LAG_S ? makePart("audit", "behind", { lagMs: lag_s * 1000 }) : makePart("audit", "up");
}

/** Every part of the platform and its state. */
export function listHealthParts(health: Health): readonly HealthPart[] {
  return [
    makePart("database", health.database.state),
    readLogStore(health),
    readChild("worker", health.worker),
    readStream(health),
    readEvents(health),
    readClock(health),
    readAlarm("disks", { alarm: health.disks.full.length === 0 ? null : health.disks.full.join(", ") }),
    readAlarm("ledger", health.ledger),
    readAudit(health),
    readAlarm("devices", health.devices),
  ];
}

import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { MAX_CLOCK_OFFSET_MS } from "../database/clock-offset.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import type { SystemHealthBody } from "./health.schema.ts";
import type { AuditHealth, NeededPart, Restarts, StreamHealth } from "./health.ts";

export interface HealthServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "clockOffsetMs">;
  /** Without a configured database there are no logs and no background work. */
  hasDatabase: boolean;
  logStore: { state(): Promise<{ stores: number; missing: string[] }> };
  /** The parts that must be available before this process is ready. */
  needed: readonly NeededPart[];
  children: { logEngine(): Restarts; worker(): Restarts };
  stream: () => Promise<StreamHealth>;
  /** Age in seconds of the oldest change whose event no reader can see yet. */
  eventDelay: () => Promise<number>;
  ledger: () => Promise<{ alarm: string | null }>;
  /** How far the audit log is in the ledger, and its receivers. */
  audit: () => Promise<AuditHealth>;
  /** The alarm about the revocation list of the devices. */
  devices: () => Promise<{ alarm: string | null }>;
  /** The disks that accept no more writes. */
  fullDisks: () => Promise<SystemHealthBody["disks"]["full"]>;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
}
export type HealthService = ReturnType<typeof createHealthService>;

/** A part that does not respond within this time is down. */
const ANSWER_MS = 1500;
/** Load balancers poll often, and every response queries all parts. */
const CACHE_MS = 1000;
const MAX_LAG_SECONDS = 60;
/** Entries join the ledger every few seconds. */
const MAX_AUDIT_LAG_SECONDS = 300;
const PARTS: readonly NeededPart[] = ["database", "log_engine", "worker"];

export function createHealthService(deps: HealthServiceDeps) {
  const {
    runtime,
    hasDatabase,
    logStore,
    needed,
    children,
    stream,
    eventDelay,
    ledger,
    audit,
    devices,
    fullDisks,
    clock,
  } = deps;
  let cached: { health: Promise<SystemHealthBody>; untilMs: number } | undefined;

  /** Undefined if the part fails or takes too long. */
  async function ask<Answer>(part: () => Promise<Answer>): Promise<Answer | undefined> {
    const over = new AbortController();
    const late = clock.sleep(ANSWER_MS, over.signal);
    return Promise.race([part(), late.then(() => undefined)])
      .catch(() => undefined)
      .finally(() => over.abort());
  }

  const askIf = async <Answer>(isAsked: boolean, part: () => Promise<Answer>) => (isAsked ? ask(part) : undefined);

  async function askAlarm(isAsked: boolean, part: () => Promise<{ alarm: string | null }>) {
    const answered = await askIf(isAsked, part);
    return { alarm: answered?.alarm ?? null };
  }

  async function check(): Promise<SystemHealthBody> {
    const { mode, is_database_available } = await runtime.truth();
    const [logStores, streaming, event_delay_s = null, ledgerAlarm, auditHealth, devicesAlarm, full = []] =
      await Promise.all([
        askIf(hasDatabase, () => logStore.state()),
        askIf(is_database_available, stream),
        askIf(is_database_available, eventDelay),
        askAlarm(is_database_available, ledger),
        askIf(is_database_available, audit),
        // In dummy mode no worker signs the list.
        askAlarm(is_database_available && mode !== "dummy", devices),
        ask(fullDisks),
      ]);
    const hasWorker = hasDatabase && mode !== "dummy";
    const parts = {
      database: { state: toState(hasDatabase, is_database_available) },
      log_engine: { ...toLogEngine(hasDatabase, logStores), ...children.logEngine() },
      worker: { state: toState(hasWorker, streaming?.isLed === true), ...children.worker() },
      stream_lag_s: hasWorker ? (streaming?.lag_s ?? null) : null,
      event_delay_s,
      clock: { offset_ms: runtime.clockOffsetMs() ?? null },
      ledger: ledgerAlarm,
      audit: toAudit(auditHealth, mode !== "dummy"),
      devices: devicesAlarm,
      disks: { full },
    };
    const hasAlarm = [ledgerAlarm, devicesAlarm].some(({ alarm }) => alarm !== null);
    const isAuditInTime = parts.audit.alarm === null && (parts.audit.lag_s ?? 0) <= MAX_AUDIT_LAG_SECONDS;
    const isWhole = isComplete(parts, PARTS) && parts.log_engine.missing_stores === undefined;
    const isOk = isWhole && !hasAlarm && full.length === 0 && isAuditInTime && isClockRight(parts) && isInTime(parts);
    return { status: isOk ? "ok" : "degraded", ...parts };
  }

  /** Returns a response at most one second old, for programs that poll often. */
  function recent(): Promise<SystemHealthBody> {
    const nowMs = clock.monotonicMs();
    if (!cached || cached.untilMs <= nowMs) cached = { health: check(), untilMs: nowMs + CACHE_MS };
    return cached.health;
  }

  return {
    check,
    recent,

    /** Throws if the platform lacks a part that it needs in its mode. */
    async requireReady(): Promise<void> {
      const [health, { mode }] = await Promise.all([recent(), runtime.truth()]);
      // In dummy mode the showcase is readable without any of these parts.
      if (mode !== "dummy" && !isComplete(health, needed)) throw new Problem("unavailable", "not ready");
      // Load balancers must send requests only to hosts with a correct clock.
      if (mode !== "dummy" && !isClockRight(health)) throw new Problem("unavailable", "not ready");
    },
  };
}

/** In dummy mode no worker adds entries to the ledger, and nothing is sent. */
function toAudit(health: AuditHealth | undefined, isExpected: boolean): SystemHealthBody["audit"] {
  if (!health) return { alarm: null, lag_s: null, failing_receivers: [] };
  const failing = health.receivers.filter(({ state }) => state === "failing").map(({ receiver }) => receiver);
  const [first, ...others] = health.faults;
  const faults = others.length === 0 ? first : `${first}, and ${others.length} more`;
  const sending = failing.length === 0 ? undefined : `audit entries are not sent to ${failing.join(" and ")}`;
  return { alarm: faults ?? sending ?? null, lag_s: isExpected ? health.lag_s : null, failing_receivers: failing };
}

function isClockRight({ clock }: Pick<SystemHealthBody, "clock">): boolean {
  return Math.abs(clock.offset_ms ?? 0) <= MAX_CLOCK_OFFSET_MS;
}

function isInTime({ stream_lag_s, event_delay_s }: Pick<SystemHealthBody, "stream_lag_s" | "event_delay_s">): boolean {
  return Math.max(stream_lag_s ?? 0, event_delay_s ?? 0) <= MAX_LAG_SECONDS;
}

function toState(isExpected: boolean, isUp: boolean): "up" | "down" | "off" {
  if (!isExpected) return "off";
  return isUp ? "up" : "down";
}

/** Up while at least one store responds: searches continue and name the missing stores. */
function toLogEngine(isExpected: boolean, logStores: { stores: number; missing: string[] } | undefined) {
  const { stores = 0, missing = [] } = logStores ?? {};
  const isUp = missing.length < stores;
  const isPartial = isUp && missing.length > 0;
  return { state: toState(isExpected, isUp), ...(isPartial && { missing_stores: missing }) };
}

function isComplete(parts: Pick<SystemHealthBody, NeededPart>, needed: readonly NeededPart[]): boolean {
  return needed.every((part) => parts[part].state !== "down");
}

import { invalidField } from "@kit/problem";
import type { Effect, OutgoingRequest } from "../../foundation/actions/action.ts";
import { newestFirst, type Order } from "../../foundation/lists/order.ts";
import type { EdrActionName, EdrActionRecord, EdrActionStatus } from "./edr.schema.ts";
import type { Desired, EndpointRow } from "./endpoint.ts";

export interface EdrActionRow {
  id: string;
  endpoint_id: string;
  action: EdrActionName;
  status: EdrActionStatus;
  adapter: string | null;
  key: string;
  simulated: boolean;
  reason: string | null;
  case_id: string | null;
  requested_by: string;
  requested_at: Date;
  attempts: number;
  next_attempt_at: Date | null;
  settled_at: Date | null;
  error: string | null;
  release_at: Date | null;
  ended_at: Date | null;
  ended_by: string | null;
}

/** A request to run an action on an endpoint. */
export interface EdrCommand {
  action: EdrActionName;
  /** Idempotency key: two commands with the same key are one action. */
  key: string;
  requested_by: string;
  reason: string | null;
  case_id: string | null;
  /**
   * The release time of an isolation in minutes; null means never. Undefined keeps the release time of the isolation in
   * force.
   */
  release_after_minutes: number | null | undefined;
}

/**
 * The actions that isolate an endpoint or end the isolation. In a playbook, or under four eyes, they need an approval.
 */
export const CRITICAL_ACTIONS: ReadonlySet<EdrActionName> = new Set(["isolate", "unisolate"]);

/** How a command starts: sent to the adapter, recorded for manual work, or simulated. */
export type InitialStatus = "dispatched" | "recorded" | "simulated";

/** The result of one attempt to carry out an action. */
export type Result =
  | { outcome: "completed" }
  /** The adapter has accepted the action and will carry it out later. */
  | { outcome: "accepted" }
  | { outcome: "refused"; error: string }
  | { outcome: "failed"; error: string }
  /** The circuit is open: the adapter is not called until this time. */
  | { outcome: "circuit_open"; until: Date }
  /** Nothing was sent, because no adapter is configured or the mode forbids it. */
  | { outcome: "recorded" };

export const NEWEST_ACTION_FIRST: Order<EdrActionRecord> = newestFirst("requested_at", "action_id");

const MINUTE_MS = 60_000;
/** Exceeds one round of retries: a worker that has not settled the action by then has died. */
const LEASE_MS = 30_000;
const ASK_AGAIN_MS = 30_000;
const FIRST_WAIT_MS = 15_000;
const LAST_WAIT_MS = 10 * MINUTE_MS;
const MAX_ATTEMPTS = 12;
/** An isolation that starts a day late does more harm than good. */
const TOO_LATE_MS = 24 * 60 * MINUTE_MS;

export function leaseUntil(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

export function checkEdrCommand({ action, release_after_minutes }: EdrCommand): void {
  if (typeof release_after_minutes === "number" && action !== "isolate") {
    throw invalidField("release_after_minutes", "is only allowed for an isolation");
  }
}

export function buildEdrAction(
  command: EdrCommand,
  id: string,
  endpoint_id: string,
  { beginning, keptRelease }: { beginning: InitialStatus; keptRelease: Date | null },
  now: Date,
): EdrActionRow {
  const { release_after_minutes, ...ordered } = command;
  const isSent = beginning === "dispatched";
  return {
    ...ordered,
    id,
    endpoint_id,
    status: isSent ? "dispatched" : "recorded",
    adapter: isSent ? ADAPTER : null,
    simulated: beginning === "simulated",
    requested_at: now,
    attempts: 0,
    next_attempt_at: isSent ? leaseUntil(now) : null,
    settled_at: isSent ? null : now,
    error: null,
    release_at:
      typeof release_after_minutes === "number"
        ? new Date(now.getTime() + release_after_minutes * MINUTE_MS)
        : keptRelease,
    ended_at: null,
    ended_by: null,
  };
}

/** Reports whether the release time of the isolation in force also applies to this isolation. */
export function isReleaseKept({ action, release_after_minutes }: EdrCommand): boolean {
  return action === "isolate" && release_after_minutes === undefined;
}

/** The only kind of adapter: HTTP. */
const ADAPTER = "http";

export type Settlement = Pick<EdrActionRow, "status" | "error" | "attempts" | "next_attempt_at" | "settled_at">;

/**
 * Returns the action's state after an attempt. Every action ends as completed, refused, out of attempts or too late.
 */
export function settleAttempt({ attempts, requested_at }: EdrActionRow, result: Result, now: Date): Settlement {
  const tried = attempts + 1;
  const isLate = now.getTime() - requested_at.getTime() > TOO_LATE_MS;
  const ended = (status: EdrActionStatus, error: string | null): Settlement => ({
    status,
    error,
    attempts: tried,
    next_attempt_at: null,
    settled_at: now,
  });
  const again = (next_attempt_at: Date, count: number, error: string | null): Settlement =>
    isLate || count >= MAX_ATTEMPTS
      ? ended("blocked", error ?? "the EDR adapter did not report completion within a day")
      : { status: "dispatched", error, attempts: count, next_attempt_at, settled_at: null };
  switch (result.outcome) {
    case "completed":
      return ended("completed", null);
    case "recorded":
      return ended("recorded", null);
    case "refused":
      return ended("blocked", result.error);
    case "accepted":
      return again(new Date(now.getTime() + ASK_AGAIN_MS), attempts, null);
    case "circuit_open":
      return again(result.until, attempts, "the circuit to the EDR adapter is open after too many failures");
    case "failed": {
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** attempts, LAST_WAIT_MS);
      return again(new Date(now.getTime() + waitMs), tried, result.error);
    }
    default:
      return result satisfies never;
  }
}

/** Returns the isolation state after an action; undefined for a scan. */
export function stateAfter(action: EdrActionName): Desired | undefined {
  switch (action) {
    case "isolate":
      return "isolated";
    case "unisolate":
      return "normal";
    case "scan":
      return undefined;
    default:
      return action satisfies never;
  }
}

type Ordered = Pick<EdrActionRow, "action" | "reason" | "case_id" | "requested_by">;

/**
 * Builds the request to the adapter. It is identical at every attempt, because approvals are bound to its exact
 * content.
 */
export function buildSending(
  url: string,
  { action, reason, case_id, requested_by }: Ordered,
  endpoint: EndpointRow,
): OutgoingRequest {
  const { id, hostname } = endpoint;
  const body = { action, endpoint: { id, hostname }, reason, case_id, requested_by };
  return { destination: "edr", method: "POST", url: `${url.replace(/\/+$/, "")}/actions`, body };
}

const SENTENCES: Readonly<Record<EdrActionName, (hostname: string) => string>> = {
  isolate: (hostname) => `Isolates ${hostname} from the network`,
  unisolate: (hostname) => `Ends the network isolation of ${hostname}`,
  scan: (hostname) => `Scans ${hostname}`,
};

export function buildEffect(
  url: string | undefined,
  command: EdrCommand,
  endpoint: EndpointRow,
  keptRelease: Date | null = null,
): Effect {
  const { action, release_after_minutes } = command;
  const { id, hostname, site, ip } = endpoint;
  const kept = keptRelease ? ` until ${keptRelease.toISOString()}, when the current isolation ends` : "";
  const end = typeof release_after_minutes === "number" ? ` for ${release_after_minutes} minutes` : kept;
  const byHand = url === undefined ? "; no adapter is configured, so the action is only recorded" : "";
  return {
    summary: `${SENTENCES[action](hostname)}${end}${byHand}`,
    sends: url === undefined ? [] : [buildSending(url, command, endpoint)],
    target: { kind: "endpoint", id, name: hostname, site, address: ip },
  };
}

export function toEdrActionAnswer({ id, endpoint_id, action, status, adapter, release_at }: EdrActionRow) {
  return { id, action_id: id, endpoint_id, action, status, adapter, release_at };
}

/** Reports whether an isolation has not ended, by the same rule as the database. */
export function isInForce({ action, status, simulated, ended_at }: EdrActionRecord): boolean {
  return action === "isolate" && status !== "blocked" && !simulated && ended_at === null;
}

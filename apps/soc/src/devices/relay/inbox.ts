import { setMaxListeners } from "node:events";
import type { Clock } from "@kit/clock";
import { createFixedWindows } from "@kit/http/limits";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { BrokerMessage } from "../../ports/broker.ts";
import type { AttestationRequests } from "../attestation/attestation-requests.ts";
import { type DeviceMessage, type DropReason, parseMessage, readReceipt } from "./device-message.ts";

export interface InboxDeps {
  requests: Pick<AttestationRequests, "confirm" | "answer">;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "warn">;
}
export type Inbox = ReturnType<typeof createInbox>;

/** A correct device sends two messages per delivery of a request: at most sixteen a minute. */
const BUDGET = { name: "device", limit: 40, windowMs: 60_000 };
const MAX_DEVICES = 100_000;
const MAX_PENDING_PER_DEVICE = 4;
const MAX_WAITING = 100;
const RETRY_MS = 1000;
/** One minute, after which the request has expired. */
const MAX_ATTEMPTS = 60;
const REPORT_MS = 60_000;

/**
 * Processes messages of devices concurrently. Each is acknowledged after the commit of its records, so the broker's
 * window limits the number waiting here. Invalid or excess messages are dropped and counted before they cost a query.
 */
export function createInbox({ requests, clock, log }: InboxDeps) {
  const closing = new AbortController();
  // One listener for each message that waits for the database.
  setMaxListeners(MAX_WAITING, closing.signal);
  const windows = createFixedWindows({ clock, maxClients: MAX_DEVICES });
  const pending = new Map<string, number>();
  const dropped = new Map<DropReason, number>();
  let size = 0;
  let unreported = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;

  function drop(reason: DropReason): void {
    dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
    unreported += 1;
  }

  function hasRoom({ device_id }: DeviceMessage): boolean {
    return (pending.get(device_id) ?? 0) < MAX_PENDING_PER_DEVICE && windows.take(BUDGET, device_id) === 0;
  }

  async function settle({ device_id, kind, content }: DeviceMessage): Promise<void> {
    if (kind === "answer") {
      await requests.answer(device_id, content);
      return;
    }
    const request_id = readReceipt(content);
    if (request_id === undefined) drop("malformed");
    else await requests.confirm(device_id, request_id);
  }

  /** Keeps the message unacknowledged while the database is unavailable. */
  async function settleAtLast(message: DeviceMessage): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await settle(message);
        return;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !(error instanceof Problem) || error.kind !== "unavailable") {
          log.warn(
            { err: error, device_id: message.device_id, kind: message.kind },
            "message of device could not be processed",
          );
          drop("failed");
          return;
        }
        await clock.sleep(RETRY_MS, closing.signal);
      }
    }
  }

  return {
    /** Resolves when the message may be acknowledged. */
    async take(received: BrokerMessage): Promise<void> {
      const message = parseMessage(received);
      if (typeof message === "string") {
        drop(message);
        return;
      }
      if (!hasRoom(message)) {
        drop("too_many");
        return;
      }
      const { device_id } = message;
      size += 1;
      pending.set(device_id, (pending.get(device_id) ?? 0) + 1);
      try {
        await settleAtLast(message);
      } finally {
        size -= 1;
        const left = (pending.get(device_id) ?? 1) - 1;
        if (left === 0) pending.delete(device_id);
        else pending.set(device_id, left);
      }
    },

    /** The number of messages being processed. */
    size: () => size,

    /** The number of dropped messages by reason. */
    dropped: (): Partial<Record<DropReason, number>> => Object.fromEntries(dropped),

    /** Logs dropped messages at most once a minute. */
    report(): void {
      const now = clock.monotonicMs();
      if (unreported === 0 || now - reportedMs < REPORT_MS) return;
      log.warn({ dropped: Object.fromEntries(dropped), unreported }, "messages of devices were dropped");
      unreported = 0;
      reportedMs = now;
    },

    /** Cancels messages that wait for the database. */
    close(): void {
      closing.abort();
    },
  };
}

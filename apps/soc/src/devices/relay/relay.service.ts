import { createHash } from "node:crypto";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import type { RecordedSending } from "../../foundation/outbound/recorded-sending.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Broker, BrokerConnection, BrokerMessage } from "../../ports/broker.ts";
import { ASKING, isAskingAllowed } from "../attestation/attestation.ts";
import type { AttestationRequests, SentRequest } from "../attestation/attestation-requests.ts";
import { pickRelayName } from "../broker/broker.ts";
import type { Authority } from "../certificates/authority.ts";
import { buildFilters, formatRequestTopic } from "./device-message.ts";
import type { Inbox } from "./inbox.ts";

export interface RelayServiceDeps {
  runtime: Pick<RuntimeService, "truth">;
  requests: Pick<AttestationRequests, "claim">;
  authority: () => Promise<Authority>;
  broker: () => Promise<Broker>;
  inbox: Inbox;
  sendRecorded: RecordedSending;
  clock: Pick<Clock, "now" | "monotonicMs" | "deadline">;
  ids: Pick<Ids, "secret">;
  log: Pick<Log, "info" | "warn">;
}
export type RelayService = ReturnType<typeof createRelayService>;

/** The broker allows this many unacknowledged messages in each direction. */
const WINDOW = 10;
const CONNECT_MS = 10_000;
const SEND_MS = 5000;
/** Only used to connect; a connection outlives it. */
const CERTIFICATE_MS = 10 * 60_000;
const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** A shorter connection counts as a failure, because two relays may have chosen one name. */
const STABLE_MS = 10_000;

/**
 * Carries requests to the devices, and their receipts and answers back. The rows of the requests are authoritative:
 * this process has no state, and lost messages are claimed and sent again.
 */
export function createRelayService(deps: RelayServiceDeps) {
  const { runtime, requests, authority, broker, inbox, sendRecorded, clock, ids, log } = deps;
  let connection: (BrokerConnection & { host: string; sinceMs: number }) | undefined;
  let failures = 0;
  let retryAtMs = Number.NEGATIVE_INFINITY;

  /** Doubles with every failure up to a limit, with a random part so that relays do not reconnect together. */
  function postpone(): void {
    const longest = Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
    failures += 1;
    retryAtMs = clock.monotonicMs() + longest * (0.5 + readByte() / 512);
  }

  function readByte(): number {
    return ids.secret(1)[0] ?? 0;
  }

  async function join(): Promise<void> {
    const [opened, { issueForClient, deriveName }] = [await broker(), await authority()];
    const pair = await issueForClient(pickRelayName(readByte()), CERTIFICATE_MS);
    const filters = buildFilters(deriveName("relay"));
    const subscription = { filters, window: WINDOW, onMessage: (message: BrokerMessage) => inbox.take(message) };
    const joined = await opened.join(subscription, pair, clock.deadline(CONNECT_MS));
    const { host } = opened;
    connection = { ...joined, host, sinceMs: clock.monotonicMs() };
    log.info({ host }, "relay connected to the broker");
  }

  /** Returns the connection, reopened if the wait is over. */
  async function findConnection(): Promise<typeof connection> {
    if (connection?.ended.aborted) {
      if (clock.monotonicMs() - connection.sinceMs >= STABLE_MS) failures = 0;
      log.warn({ host: connection.host }, "relay lost its connection to the broker");
      connection = undefined;
      postpone();
    }
    if (connection || clock.monotonicMs() < retryAtMs) return connection;
    try {
      await join();
    } catch (error) {
      postpone();
      log.warn({ err: error }, "relay cannot connect to the broker");
    }
    return connection;
  }

  async function send(connected: NonNullable<typeof connection>, claimed: readonly SentRequest[]): Promise<void> {
    const messages = claimed.map((request) => ({
      topic: formatRequestTopic(request.device_id),
      payload: JSON.stringify(request),
      lifetimeSeconds: Math.max(1, Math.ceil((request.deadline.getTime() - clock.now().getTime()) / 1000)),
    }));
    const body = messages.map(({ payload }) => payload).join("\n");
    await sendRecorded({
      factsIn: (mode) => ({
        mode,
        kind: ASKING,
        destination: "broker",
        purpose: "request attestations from devices",
        method: "MQTT",
        host: connected.host,
        path: formatRequestTopic("+"),
        body_sha256: createHash("sha256").update(body).digest("hex"),
        body_bytes: Buffer.byteLength(body),
      }),
      timeoutMs: SEND_MS,
      async send(signal) {
        const giveUp = () => connected.close();
        signal.addEventListener("abort", giveUp, { once: true });
        try {
          await Promise.all(messages.map((each) => connected.publish(each.topic, each.payload, each.lifetimeSeconds)));
        } finally {
          // The timeout may also fire after the messages were sent.
          signal.removeEventListener("abort", giveUp);
        }
        return { status: 200 };
      },
    });
  }

  function leave(): void {
    connection?.close();
    connection = undefined;
  }

  return {
    /**
     * Sends due requests up to the window and returns the number. Claims none without a connection, because a claim
     * postpones the next attempt, and none while answers wait, because the broker would drop what it cannot deliver.
     */
    async relay(): Promise<number | "waiting"> {
      inbox.report();
      if (!isAskingAllowed(await runtime.truth())) {
        leave();
        return 0;
      }
      const connected = await findConnection();
      if (!connected || inbox.size() >= WINDOW) return "waiting";
      const claimed = await requests.claim(WINDOW);
      if (claimed.length > 0) await send(connected, claimed);
      return claimed.length;
    },

    close(): void {
      inbox.close();
      leave();
    },
  };
}

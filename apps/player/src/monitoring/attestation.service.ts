import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { TimeService } from "../time/time.service.ts";
import { type AttestationRequest, parseAttestationRequest } from "./attestation/attestation-request.ts";
import type { AttestationRequestsStore } from "./attestation/attestation-requests.store.ts";
import type { Measure } from "./attestation/measurement.ts";
import { createBackoff } from "./backoff.ts";
import type { BrokerSession, OpenBroker } from "./broker-client.ts";
import { signMeasurement } from "./device-key.ts";
import type { EnrolmentService } from "./enrolment.service.ts";
import type { Identity } from "./enrolment.ts";
import type { MonitoringBody } from "./monitoring.schema.ts";
import { parseAddress, parseBroker } from "./platform-address.ts";
import type { PlatformExchange } from "./platform-exchange.ts";
import type { SentMessagesStore } from "./sent-messages.store.ts";
import type { Troubles } from "./troubles.ts";

export interface AttestationServiceDeps {
  requests: AttestationRequestsStore;
  sent: Pick<SentMessagesStore, "add" | "markDelivered">;
  enrolments: Pick<EnrolmentService, "identity" | "markAttested">;
  exchange: Pick<PlatformExchange, "admit">;
  openBroker: OpenBroker;
  measure: Measure;
  time: Pick<TimeService, "now" | "isValid">;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  ids: Pick<Ids, "secret">;
  log: Pick<Log, "info" | "warn">;
  troubles: Pick<Troubles, "set" | "clear">;
  onRefused: () => void;
}
export type AttestationService = ReturnType<typeof createAttestationService>;

/** A connection, its device identity, and whether it is still the current one. */
interface Line {
  session: BrokerSession;
  identity: Identity;
  signal: AbortSignal;
}

const FIRST_MS = 1000;
const MAX_MS = 5 * 60_000;
/** Limits reconnects to a broker that accepts connections and drops them immediately. */
const STABLE_MS = 60_000;
const MAX_PENDING = 20;
const LATE = "clock: a request of the platform had expired when it arrived; check this device's time";

/** Stays connected to the broker of the platform and answers its requests with signed measurements. */
export function createAttestationService(deps: AttestationServiceDeps) {
  const { requests, sent, enrolments, exchange, openBroker, measure, time, clock, ids, log, troubles } = deps;
  const backoff = createBackoff({ firstMs: FIRST_MS, maxMs: MAX_MS, ids });
  const nowS = () => Math.floor(time.now() / 1000);
  let running = new AbortController();
  let loop: Promise<void> = Promise.resolve();
  let connection: MonitoringBody["broker"] = "none";
  let answering: Promise<void> = Promise.resolve();
  let pending = 0;

  async function publish({ session, signal }: Line, kind: "receipt" | "answer", payload: string): Promise<void> {
    if (signal.aborted) throw new Problem("unavailable", "request: the enrolment has changed meanwhile");
    const id = sent.add({ at: nowS(), kind, bytes: Buffer.byteLength(payload), content: payload });
    await session.publish(kind, payload);
    sent.markDelivered(id);
  }

  async function signAnswer({ enrolment, key }: Identity, { request_id, nonce }: AttestationRequest): Promise<string> {
    const { device_id, certificate } = enrolment;
    const measurement = await measure({ device_id, request_id, nonce });
    const signature = signMeasurement(key, measurement);
    const answer = JSON.stringify({ request_id, kind: "software", measurement, signature, certificate });
    requests.keepAnswer(request_id, answer);
    return answer;
  }

  async function answer(line: Line, request: AttestationRequest): Promise<void> {
    const { request_id } = request;
    await publish(line, "receipt", JSON.stringify({ request_id }));
    const kept = requests.find(request_id)?.answer;
    await publish(line, "answer", kept ?? (await signAnswer(line.identity, request)));
    requests.markDelivered(request_id);
    enrolments.markAttested();
    troubles.clear("request");
  }

  /** Sequentially. Requests beyond the limit are dropped; the platform asks again. */
  function enqueue(line: Line, request: AttestationRequest): void {
    if (pending >= MAX_PENDING) return;
    pending += 1;
    answering = answering
      .then(() => answer(line, request))
      .catch((error: unknown) => {
        if (line.signal.aborted) return;
        if (!(error instanceof Problem)) log.warn({ err: error }, "answering the security platform failed");
        troubles.set("request", error instanceof Problem ? error.message : "request: internal error");
      })
      .finally(() => {
        pending -= 1;
      });
  }

  /** Stores the request and returns it; undefined for a message that needs no answer. */
  function keep(payload: Uint8Array, { enrolment }: Identity): AttestationRequest | undefined {
    const request = parseAttestationRequest(payload, enrolment.device_id);
    if (!request) {
      log.warn({}, "ignored message: not an attestation request for this device");
      return undefined;
    }
    // A clock that was never set cannot tell whether the request is current.
    if (time.isValid() && request.deadline <= nowS()) {
      troubles.set("request", LATE);
      return undefined;
    }
    if (!requests.find(request.request_id)) requests.add(request);
    return request;
  }

  async function connect(identity: Identity, broker: string, signal: AbortSignal): Promise<void> {
    const address = parseBroker(broker, parseAddress(identity.enrolment.address));
    await exchange.admit(address, "broker");
    let line: Line | undefined;
    const session = await openBroker({
      address,
      identity,
      onMessage(payload) {
        if (signal.aborted) throw new Problem("unavailable", "request: the enrolment has changed meanwhile");
        const request = keep(payload, identity);
        // Messages that arrive before the connection is ready are stored, and answered below.
        if (request && line) enqueue(line, request);
      },
    });
    const opened = { session, identity, signal };
    line = opened;
    const startedMs = clock.monotonicMs();
    const stop = () => void session.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      if (signal.aborted) stop();
      connection = "connected";
      troubles.clear("broker");
      for (const request of requests.listOpen(nowS())) enqueue(opened, request);
      const reason = await session.closed;
      if (!signal.aborted) throw reason;
    } finally {
      signal.removeEventListener("abort", stop);
      connection = signal.aborted ? "none" : "connecting";
      if (clock.monotonicMs() - startedMs >= STABLE_MS) backoff.reset();
    }
  }

  /** Returns false when another attempt makes no sense. */
  function noteFailure(error: unknown): boolean {
    if (!(error instanceof Problem)) {
      log.warn({ err: error }, "connecting to the broker of the security platform failed");
      troubles.set("broker", "broker: internal error");
      return true;
    }
    troubles.set("broker", error.message);
    if (error.code !== "certificate_revoked") return true;
    deps.onRefused();
    return false;
  }

  async function run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const identity = enrolments.identity();
      const broker = identity?.enrolment.broker;
      if (signal.aborted || !identity || broker === null || broker === undefined) return;
      connection = "connecting";
      try {
        await connect(identity, broker, signal);
      } catch (error) {
        if (signal.aborted || !noteFailure(error)) return;
      }
      await clock.sleep(backoff.next(), signal).catch(() => undefined);
    }
  }

  async function stop(): Promise<void> {
    running.abort();
    await loop;
    connection = "none";
  }

  return {
    connection: (): MonitoringBody["broker"] => connection,

    /** Call after the identity has changed: reconnects with it, or disconnects without one. */
    restart(): void {
      running.abort();
      running = new AbortController();
      connection = enrolments.identity()?.enrolment.broker ? "connecting" : "none";
      const { signal } = running;
      backoff.reset();
      loop = loop.then(() => {
        if (!signal.aborted) connection = "none";
        return run(signal);
      });
      loop = loop.catch((error: unknown) =>
        log.warn({ err: error }, "the connection to the broker ended unexpectedly"),
      );
    },

    close: stop,
  };
}

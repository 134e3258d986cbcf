import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { createBackoff } from "./backoff.ts";
import type { EnrolmentService } from "./enrolment.service.ts";
import { parseAddress } from "./platform-address.ts";
import { describeAnswer, isRefusal, isSuccess, type PlatformExchange } from "./platform-exchange.ts";
import { formatEvents, type SecurityEvent, type SecurityEventType } from "./security-event.ts";
import type { SecurityEventsStore } from "./security-events.store.ts";
import type { Troubles } from "./troubles.ts";

export interface SecurityEventsServiceDeps {
  store: SecurityEventsStore;
  enrolments: Pick<EnrolmentService, "current" | "identity">;
  exchange: Pick<PlatformExchange, "send">;
  /** Epoch seconds. */
  nowS: () => number;
  clock: Pick<Clock, "sleep">;
  ids: Ids;
  log: Pick<Log, "warn">;
  troubles: Pick<Troubles, "set" | "clear">;
  /** The platform no longer accepts this device. */
  onRefused: () => void;
}
export type SecurityEventsService = ReturnType<typeof createSecurityEventsService>;

const BATCH_SIZE = 100;
const COUNTED_MS = 60_000;
const FIRST_MS = 5000;
const MAX_MS = 60 * 60_000;
/** The platform will not accept this content, however often it is sent. */
const NOT_ACCEPTED: readonly number[] = [400, 413, 422];

/** Stores security events until the platform has received them. Without an enrolment, nothing is stored or sent. */
export function createSecurityEventsService(deps: SecurityEventsServiceDeps) {
  const { store, enrolments, exchange, nowS, clock, ids, log, troubles, onRefused } = deps;
  const backoff = createBackoff({ firstMs: FIRST_MS, maxMs: MAX_MS, ids });
  const next = createTimer(clock);
  const counting = createTimer(clock);
  let wrongTokens = 0;
  let isBusy = false;
  let isClosed = false;
  let batchSize = BATCH_SIZE;

  function add(type: SecurityEventType, details: SecurityEvent["details"]): void {
    if (!enrolments.current()) return;
    try {
      store.add({ id: ids.next(), at: nowS(), type, details });
      troubles.clear("queue");
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      troubles.set("queue", error.message);
    }
    wake();
  }

  function endCount(): void {
    counting.cancel();
    const count = wrongTokens;
    wrongTokens = 0;
    if (count > 0) add("wrong_token", { count: String(count), seconds: String(COUNTED_MS / 1000) });
  }

  /** Returns how long to wait before the next batch; undefined when nothing is left to do. */
  async function sendBatch(): Promise<number | undefined> {
    const identity = enrolments.identity();
    const events = identity ? store.oldest(batchSize) : [];
    if (!identity || events.length === 0) return undefined;
    const { address, authority, certificate } = identity.enrolment;
    const answer = await exchange.send({
      kind: "events",
      address: parseAddress(address),
      isWanted: () => enrolments.current()?.key_name === identity.enrolment.key_name,
      ...{ authority, path: "/events", body: formatEvents(events), pair: { certificate, key: identity.key } },
    });
    if (isSuccess(answer)) {
      store.remove(events);
      backoff.reset();
      batchSize = BATCH_SIZE;
      troubles.clear("events");
      return 0;
    }
    if (isRefusal(answer)) {
      onRefused();
      return undefined;
    }
    troubles.set("events", `events: ${describeAnswer(answer)}`);
    if (NOT_ACCEPTED.includes(answer.status) && events.length === 1) store.drop(events, nowS());
    // One by one: a rejected event must not block the others.
    if (NOT_ACCEPTED.includes(answer.status)) batchSize = 1;
    return backoff.next();
  }

  async function send(): Promise<void> {
    if (isBusy || isClosed) return;
    isBusy = true;
    let waitMs: number | undefined;
    try {
      waitMs = await sendBatch();
    } catch (error) {
      if (!(error instanceof Problem)) log.warn({ err: error }, "sending security events failed");
      troubles.set("events", error instanceof Problem ? error.message : "events: internal error");
      waitMs = backoff.next();
    } finally {
      isBusy = false;
    }
    if (waitMs !== undefined && !isClosed) next.set(waitMs, () => void send());
  }

  /** Sends unless it is already waiting for a failing platform. */
  function wake(): void {
    if (!isClosed && !next.isSet()) next.set(0, () => void send());
  }

  return {
    add,
    wake,
    waiting: (): number => store.count(),
    dropped: (): number => store.countDropped(),

    /** Call for every wrong token: one event counts those of a minute, so that guessing cannot fill the queue. */
    countWrongToken(): void {
      if (!enrolments.current()) return;
      wrongTokens += 1;
      if (!counting.isSet()) counting.set(COUNTED_MS, endCount);
    },

    /** After the enrolment was removed. */
    forget(): void {
      wrongTokens = 0;
      counting.cancel();
      next.cancel();
      backoff.reset();
      batchSize = BATCH_SIZE;
    },

    close(): void {
      endCount();
      isClosed = true;
      next.cancel();
    },
  };
}

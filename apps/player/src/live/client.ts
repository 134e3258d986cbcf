import type { WebSocket } from "@fastify/websocket";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { createOutbox, type Frame, MAX_BUFFERED_BYTES } from "./outbox.ts";

/** One connected socket. It sends the frames that its outbox releases, and is closed when it is too slow or dead. */
export interface Client {
  deliver(frame: Frame): void;
  /** Call about once a second: handles pings and all timeouts of the socket. */
  tick(): void;
  closeForStop(): void;
  /** False when the last pings were not answered. */
  isAnswering(): boolean;
  /** Makes room for another client. */
  evict(): void;
  /** Resolves when the connection is closed. */
  closed: Promise<void>;
}

export interface ClientDeps {
  socket: WebSocket;
  clock: Pick<Clock, "monotonicMs">;
  log: Pick<Log, "info">;
}

const PING_MS = 20_000;
const MAX_UNANSWERED_PINGS = 2;
const BEHIND_MS = 30_000;
const CLOSING_MS = 3000;

// RFC 6455, section 7.4.1, and the IANA registry of close codes.
/** RFC 6455, section 7.4.1: an endpoint that stops. */
const ENDPOINT_STOPS = 1001;
const TRY_AGAIN_LATER = 1013;

export function createClient({ socket, clock, log }: ClientDeps): Client {
  const outbox = createOutbox();
  let pingedAt = clock.monotonicMs();
  let unansweredPings = 0;

  const isOpen = () => socket.readyState === socket.OPEN;
  const isBehind = () => socket.bufferedAmount > MAX_BUFFERED_BYTES;
  const closingForMs = createStopwatch(clock, () => !isOpen());
  const behindForMs = createStopwatch(clock, isBehind);

  function send(frames: readonly Frame[]): void {
    for (const { bytes } of frames) socket.send(bytes, { binary: false }, sendHeldBack);
  }

  function sendHeldBack(): void {
    if (isOpen()) send(outbox.flush(socket.bufferedAmount));
  }

  function ping(): void {
    if (unansweredPings >= MAX_UNANSWERED_PINGS) {
      log.info({ unanswered_pings: unansweredPings }, "dead socket dropped");
      socket.terminate();
      return;
    }
    unansweredPings += 1;
    pingedAt = clock.monotonicMs();
    socket.ping();
  }

  socket.on("pong", () => {
    unansweredPings = 0;
  });
  // Do not answer every ping of a client that never reads; RFC 6455, section 5.5.3, allows skipping some.
  socket.on("ping", (data) => {
    if (isOpen() && !isBehind()) socket.pong(data, false, sendHeldBack);
  });

  return {
    deliver(frame) {
      if (isOpen()) send(outbox.push(frame, socket.bufferedAmount));
    },

    tick() {
      if (closingForMs() >= CLOSING_MS) {
        // The close handshake does not complete: the client does not read or does not answer.
        socket.terminate();
      } else if (behindForMs() >= BEHIND_MS && isOpen()) {
        log.info({ buffered_bytes: socket.bufferedAmount }, "slow socket closed");
        socket.close(TRY_AGAIN_LATER, "too slow");
      } else if (clock.monotonicMs() - pingedAt >= PING_MS && isOpen()) {
        ping();
      }
    },

    isAnswering: () => isOpen() && unansweredPings < MAX_UNANSWERED_PINGS,

    closeForStop: () => socket.close(ENDPOINT_STOPS, "going away"),

    evict: () => socket.close(TRY_AGAIN_LATER, "too many sockets"),

    closed: new Promise((resolve) => socket.once("close", () => resolve())),
  };
}

/** Returns for how long a condition has held, as of the last call. */
function createStopwatch(clock: Pick<Clock, "monotonicMs">, isHolding: () => boolean): () => number {
  let since: number | undefined;
  return () => {
    const now = clock.monotonicMs();
    since = isHolding() ? (since ?? now) : undefined;
    return since === undefined ? 0 : now - since;
  };
}

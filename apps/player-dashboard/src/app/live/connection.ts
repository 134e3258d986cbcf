import { type ReadonlySignal, signal } from "@preact/signals";
import { type Frame, readFrame } from "./frame.ts";

/** `unreachable`: the device has been silent so long that the page reports it. */
export type Presence = "connecting" | "here" | "unreachable";

export interface ConnectionDeps {
  open: () => Pick<WebSocket, "addEventListener" | "close" | "send">;
  after: (delayMs: number, task: () => void) => () => void;
  onFrame: (frame: Frame) => void;
}

export interface Connection {
  presence: ReadonlySignal<Presence>;
  /** Tries at once instead of waiting for the next attempt. */
  tryNow: () => void;
  close: () => void;
}

/** How long the socket may be missing before the page reports it. */
const UNREACHABLE_AFTER_MS = 3000;
const FIRST_RETRY_MS = 500;
/** The device accepts ten upgrades in ten seconds. */
const LAST_RETRY_MS = 5000;
/** The device sends a position every 5 s only while it plays; otherwise a ping checks the connection. */
const PING_MS = 10_000;
const SILENCE_MS = 15_000;

/** Keeps one socket to the device open and reconnects after every failure. */
export function openConnection({ open, after, onFrame }: ConnectionDeps): Connection {
  const presence = signal<Presence>("connecting");
  let retryMs = FIRST_RETRY_MS;
  let generation = 0;
  let isClosed = false;
  let stopUnreachable = after(UNREACHABLE_AFTER_MS, reportUnreachable);
  let stopRetry = nothing;
  let leave = nothing;

  function reportUnreachable(): void {
    presence.value = "unreachable";
  }

  function connect(): void {
    stopRetry();
    leave();
    generation += 1;
    const mine = generation;
    const isCurrent = () => mine === generation && !isClosed;
    const socket = open();
    let stopSilence = after(SILENCE_MS, lost);
    let stopPing = nothing;
    leave = () => {
      stopSilence();
      stopPing();
      socket.close();
    };

    function ping(): void {
      socket.send('{"type":"ping"}');
      stopPing = after(PING_MS, ping);
    }

    function lost(): void {
      if (!isCurrent()) return;
      leave();
      generation += 1;
      if (presence.value === "here") {
        presence.value = "connecting";
        stopUnreachable = after(UNREACHABLE_AFTER_MS, reportUnreachable);
      }
      stopRetry = after(retryMs, connect);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }

    socket.addEventListener("message", ({ data }) => {
      if (!isCurrent()) return;
      stopSilence();
      stopSilence = after(SILENCE_MS, lost);
      const frame = readFrame(String(data));
      if (!frame) return;
      if (frame.type === "hello") {
        stopUnreachable();
        retryMs = FIRST_RETRY_MS;
        stopPing = after(PING_MS, ping);
      }
      onFrame(frame);
      if (frame.type === "hello") presence.value = "here";
    });
    socket.addEventListener("close", lost);
    socket.addEventListener("error", lost);
  }

  connect();
  return {
    presence,
    tryNow() {
      if (presence.value !== "here") connect();
    },
    close() {
      isClosed = true;
      stopUnreachable();
      stopRetry();
      leave();
    },
  };
}

function nothing(): void {
  // Replaced once there is something to stop.
}

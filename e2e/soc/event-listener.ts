import { connect, type Socket } from "node:net";
import { createClock } from "@kit/clock";

const clock = createClock();
const RECONNECT_MS = 1000;
const BUCKET_MS = 10;
const BUCKETS = 3000;
// With the line before it: a header may end with "id: ", too.
const ID_LINE = "\nid: ";

/** What all listeners of a test have received together. */
export interface Received {
  /** How many events took so many hundredths of a second from their commit to the listener. */
  waits: Uint32Array;
  /** When each event was made, by its place: it is parsed once for all listeners. */
  madeAtMs: Map<number, number>;
}

export const createReceived = (): Received => ({ waits: new Uint32Array(BUCKETS), madeAtMs: new Map() });

/** The time within which that share of all events arrived. */
export function computeWaitMs({ waits }: Received, share: number): number {
  const all = waits.reduce((sum, count) => sum + count, 0);
  let passed = 0;
  const bucket = waits.findIndex((count) => {
    passed += count;
    return passed >= all * share;
  });
  return (bucket + 1) * BUCKET_MS;
}

export interface ListenerOptions {
  port: number;
  cookie: string;
  /** With a question mark, or empty. */
  query: string;
  received: Received;
}

/**
 * A page that listens to events, on a bare socket: it remembers the last id and connects again when the stream ends, as a
 * browser does. It counts and adds up the places of the events, so that one that is missing or doubled shows.
 */
export function openListener({ port, cookie, query, received }: ListenerOptions) {
  const state = { from: -1, last: -1, count: 0, sum: 0, disorder: 0, resets: 0, refused: 0, connections: 0 };
  let socket: Socket | undefined;
  let rest = "";
  let isClosed = false;
  let onOpen: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    onOpen = resolve;
  });

  function countEvent(text: string, place: number, dataAt: number): void {
    if (place <= state.last) state.disorder += 1;
    state.last = place;
    state.count += 1;
    state.sum += place;
    let madeMs = received.madeAtMs.get(place);
    if (madeMs === undefined) {
      const at = text.indexOf('"at":"', dataAt) + 6;
      madeMs = Date.parse(text.slice(at, text.indexOf('"', at)));
      received.madeAtMs.set(place, madeMs);
    }
    const bucket = Math.floor((clock.now().getTime() - madeMs) / BUCKET_MS);
    const index = Math.min(Math.max(bucket, 0), BUCKETS - 1);
    received.waits[index] = (received.waits[index] ?? 0) + 1;
  }

  function readFrames(text: string): void {
    if (text.includes("event: reset")) state.resets += 1;
    for (let at = text.indexOf(ID_LINE); at !== -1; at = text.indexOf(ID_LINE, at + 1)) {
      const begin = at + ID_LINE.length;
      const end = text.indexOf("\n", begin);
      const place = Number(text.slice(begin, end));
      if (text.startsWith("data: ", end + 1)) countEvent(text, place, end);
      else {
        if (state.from === -1) state.from = place;
        state.last = Math.max(state.last, place);
        onOpen?.();
      }
    }
  }

  function read(chunk: Buffer): void {
    const text = rest + chunk.toString("latin1");
    const end = text.lastIndexOf("\n\n") + 2;
    rest = text.slice(Math.max(end, 0));
    if (end < 2) return;
    if (text.startsWith("HTTP/1.1") && !text.startsWith("HTTP/1.1 200")) state.refused += 1;
    readFrames(text.slice(0, end));
  }

  function open(): void {
    rest = "";
    state.connections += 1;
    const known = state.last === -1 ? "" : `last-event-id: ${state.last}\r\n`;
    socket = connect({ port, host: "127.0.0.1" });
    socket.write(`GET /api/v1/events${query} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n${known}\r\n`);
    socket.on("data", read);
    socket.on("error", () => undefined);
    // The server ends a stream now and then.
    socket.on("end", () => socket?.destroy());
    socket.on("close", () => {
      if (!isClosed) void clock.sleep(RECONNECT_MS).then(() => (isClosed ? undefined : open()));
    });
  }

  open();
  return {
    state,
    opened,
    close(): void {
      isClosed = true;
      socket?.destroy();
    },
  };
}
export type EventListener = ReturnType<typeof openListener>;

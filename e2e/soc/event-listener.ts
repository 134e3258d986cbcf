import { connect, type Socket } from "node:net";
import { createClock } from "@kit/clock";

const clock = createClock();
const RECONNECT_MS = 1000;
// Includes the preceding line break: a header may also end with "id: ".
const ID_LINE = "\nid: ";

export interface ListenerOptions {
  port: number;
  cookie: string;
  /** With a question mark, or empty. */
  query: string;
}

/**
 * A page that listens to events, on a bare socket: it remembers the last id and connects again when the stream ends, as a
 * browser does. It counts and adds up the places of the events, so that one that is missing or doubled shows.
 */
export function openListener({ port, cookie, query }: ListenerOptions) {
  const state = { from: -1, last: -1, count: 0, sum: 0, disorder: 0, resets: 0, refused: 0, connections: 0 };
  let socket: Socket | undefined;
  let rest = "\n";
  let isClosed = false;
  let onOpen: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    onOpen = resolve;
  });

  function countEvent(place: number): void {
    if (place <= state.last) state.disorder += 1;
    state.last = place;
    state.count += 1;
    state.sum += place;
  }

  function readFrames(text: string): void {
    if (text.includes("event: reset")) state.resets += 1;
    for (let at = text.indexOf(ID_LINE); at !== -1; at = text.indexOf(ID_LINE, at + 1)) {
      const begin = at + ID_LINE.length;
      const end = text.indexOf("\n", begin);
      const place = Number(text.slice(begin, end));
      if (text.startsWith("data: ", end + 1)) countEvent(place);
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
    // The newline before the next frame belongs to it.
    rest = text.slice(Math.max(end - 1, 0));
    if (end < 2) return;
    if (text.startsWith("\nHTTP/1.1") && !text.startsWith("\nHTTP/1.1 200")) state.refused += 1;
    readFrames(text.slice(0, end));
  }

  function open(): void {
    rest = "\n";
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

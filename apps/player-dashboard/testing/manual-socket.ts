import type { ConnectionDeps } from "../src/app/live/connection.ts";

type Socket = ReturnType<ConnectionDeps["open"]>;

/** Sockets that the test controls. */
export function createHandSockets() {
  const opened: { target: EventTarget; sent: string[]; isClosed: boolean }[] = [];
  return {
    opened,
    open(): Socket {
      const target = new EventTarget();
      const end = { target, sent: [] as string[], isClosed: false };
      opened.push(end);
      return {
        addEventListener: target.addEventListener.bind(target),
        send: (text: string) => void end.sent.push(text),
        close: () => {
          end.isClosed = true;
        },
      } as Socket;
    },
    /** Sends a frame on the newest socket. */
    say(type: string, data: object, ts = 0) {
      const frame = JSON.stringify({ type, seq: 1, ts, data });
      opened.at(-1)?.target.dispatchEvent(new MessageEvent("message", { data: frame }));
    },
    drop: () => opened.at(-1)?.target.dispatchEvent(new Event("close")),
  };
}

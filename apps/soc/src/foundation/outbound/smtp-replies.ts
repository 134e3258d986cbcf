import type { Socket } from "node:net";
import { Problem } from "@kit/problem";

export interface Reply {
  code: number;
  /** The lines without their codes. */
  lines: readonly string[];
}

export interface Replies {
  /** The next reply. Rejects if the connection ends before the reply is complete. */
  next(): Promise<Reply>;
  /** Stops reading. Returns false if the server sent data that no command requested. */
  release(): boolean;
}

const MAX_LINES = 100;
const MAX_LINE_BYTES = 2048;
const LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/;

/** Reads a server's replies of one or more lines (RFC 5321, section 4.2). */
export function createReplies(socket: Socket, field: string): Replies {
  const whole: Reply[] = [];
  let lines: string[] = [];
  let rest = "";
  let failure: Problem | undefined;
  let waiting: { resolve: (reply: Reply) => void; reject: (failure: Problem) => void } | undefined;

  function settle(): void {
    const reply = whole[0];
    if (waiting && reply) {
      whole.shift();
      waiting.resolve(reply);
      waiting = undefined;
    } else if (waiting && failure) {
      waiting.reject(failure);
      waiting = undefined;
    }
  }

  function fail(what: string, cause?: unknown): void {
    failure ??= new Problem("unavailable", `${field}: ${what}`, { cause });
    settle();
  }

  function take(line: string): void {
    const [, code, separator, text = ""] = LINE.exec(line) ?? [];
    const isTooMuch = line.length > MAX_LINE_BYTES || lines.length >= MAX_LINES;
    lines.push(text);
    if (code === undefined || isTooMuch) fail("the server does not speak SMTP");
    else if (separator !== "-") {
      whole.push({ code: Number(code), lines });
      lines = [];
    }
  }

  function onData(bytes: Buffer): void {
    rest += bytes.toString("latin1");
    const parts = rest.split(/\r?\n/);
    rest = parts.pop() ?? "";
    for (const line of parts) take(line);
    if (rest.length > MAX_LINE_BYTES || whole.length > MAX_LINES) fail("the server does not speak SMTP");
    settle();
  }
  const onError = (cause: Error) => fail("the connection failed", cause);
  const onClose = () => fail("the server closed the connection");

  socket.on("data", onData);
  socket.on("error", onError);
  socket.on("close", onClose);

  return {
    next: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        settle();
      }),

    release() {
      socket.off("data", onData);
      return whole.length === 0 && lines.length === 0 && rest === "";
    },
  };
}

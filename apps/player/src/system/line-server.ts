import { chmod, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { Problem } from "@kit/problem";

export interface LineServerDeps {
  /** The path of the socket. Only the user of the service may open it. */
  path: string;
  /** The component that a failure names. */
  component: string;
  /** Executes one line. A problem that it throws is the answer. */
  answer: (line: string) => object;
}

export interface LineServer {
  start(): Promise<void>;
  close(): Promise<void>;
}

const MAX_LINE_CHARACTERS = 4096;
const MAX_CONNECTIONS = 16;

/** A socket on the device itself, which no network reaches: every line is one command and gets one line of JSON. */
export function createLineServer({ path, component, answer }: LineServerDeps): LineServer {
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  function answerLine(line: string): object {
    try {
      return answer(line);
    } catch (error) {
      if (error instanceof Problem) return { error: error.message };
      throw error;
    }
  }

  function serve(socket: Socket): void {
    let unread = "";
    sockets.add(socket);
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      const lines = (unread + text).split("\n");
      unread = lines.pop() ?? "";
      for (const line of lines) socket.write(`${JSON.stringify(answerLine(line))}\n`);
      if (unread.length > MAX_LINE_CHARACTERS) socket.destroy();
    });
    // A client that disconnects early gets no answer.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  }

  return {
    async start() {
      // A killed process leaves its socket file behind.
      await rm(path, { force: true });
      const opened = createServer(serve);
      opened.maxConnections = MAX_CONNECTIONS;
      server = opened;
      await new Promise<void>((resolve, reject) => {
        opened.once("error", (cause) =>
          reject(new Problem("failed", `${component}: no socket can be opened`, { cause })),
        );
        opened.listen(path, resolve);
      });
      await chmod(path, 0o600);
    },

    async close() {
      const closing = server;
      server = undefined;
      for (const socket of sockets) socket.destroy();
      if (closing) await new Promise((resolve) => closing.close(resolve));
    },
  };
}

import { once } from "node:events";
import type { MessagePort, Worker } from "node:worker_threads";
import { Session } from "chdb";

/** A read connection that runs one statement at a time. */
export interface Reader {
  select(statement: Statement): AsyncGenerator<Uint8Array, void, undefined>;
  close(): Promise<void>;
}

interface Statement {
  sql: string;
  parameters: Readonly<Record<string, unknown>>;
  format: string;
}

/** How to open a connection to the engine of this process. */
export interface ReaderSettings {
  folder: string;
  connectionArgs: string[];
}

type ReaderCommand = { kind: "select"; statement: Statement } | { kind: "next" | "cancel" | "close" };
type ReaderReply = { kind: "chunk"; bytes: Uint8Array } | { kind: "end" } | { kind: "failed"; message: string };

/**
 * A reader in its own thread, which starts with the first statement. The engine plans a statement inside the call that
 * starts it, for seconds if many logs are involved; on the main thread this would block all other responses.
 */
export function createReader(startThread: () => Worker): Reader {
  let started: Worker | undefined;

  function thread(): Worker {
    if (started) return started;
    started = startThread();
    // A thread ends only after a fault, and the parent of this process then replaces the whole engine.
    started.on("error", (error) => {
      throw error;
    });
    return started;
  }

  function ask(asked: ReaderCommand): Promise<ReaderReply> {
    return new Promise((resolve) => {
      thread().once("message", (answered: ReaderReply) => resolve(answered));
      thread().postMessage(asked);
    });
  }

  return {
    async *select(statement) {
      let answer = await ask({ kind: "select", statement });
      try {
        while (answer.kind === "chunk") {
          yield answer.bytes;
          answer = await ask({ kind: "next" });
        }
      } finally {
        // The consumer has left: the reader is free when the statement has ended.
        if (answer.kind === "chunk") await ask({ kind: "cancel" });
      }
      if (answer.kind === "failed") throw new Error(answer.message);
    },

    async close() {
      if (!started) return;
      const ended = once(started, "exit");
      started.postMessage({ kind: "close" } satisfies ReaderCommand);
      await ended;
    },
  };
}

/** The side of the thread. */
export function serveReader(port: MessagePort, { folder, connectionArgs }: ReaderSettings): void {
  const session = new Session(folder, { connectionArgs });
  const answer = (answered: ReaderReply) => port.postMessage(answered);
  let running: AsyncGenerator<Uint8Array, void, undefined> | undefined;

  async function* read({ sql, parameters, format }: Statement) {
    // Not queryBindAsync: this binding runs only one query with parameters at a time in the whole process.
    for await (const chunk of session.queryStreamBind(sql, { ...parameters }, { format })) yield chunk.raw();
  }

  async function sendNext(): Promise<void> {
    try {
      const next = await running?.next();
      answer(next === undefined || next.done ? { kind: "end" } : { kind: "chunk", bytes: next.value });
    } catch (error) {
      // The binding does not free a failed stream: it keeps its memory until the next statement of the connection.
      await session.queryAsync("SELECT 1").catch(() => undefined);
      answer({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  }

  async function handle(asked: ReaderCommand): Promise<void> {
    switch (asked.kind) {
      case "select":
        running = read(asked.statement);
        return sendNext();
      case "next":
        return sendNext();
      case "cancel":
        await running?.return();
        return answer({ kind: "end" });
      case "close":
        session.close();
        port.close();
        return;
      default:
        asked satisfies never;
    }
  }

  port.on("message", (asked: ReaderCommand) => void handle(asked));
}

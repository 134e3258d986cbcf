import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import type { Clock } from "@kit/clock";
import { createMutex } from "@kit/clock/mutex";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { YamlDocument, YamlOptions, YamlResult } from "./yaml.ts";
import { YAML_READY, type YamlTask } from "./yaml-thread.ts";

export interface YamlReader {
  /** Refuses the field `yaml`, or is unavailable when too many texts wait. */
  parse(text: string, options?: YamlOptions): Promise<YamlDocument[]>;
  close(): Promise<void>;
}

export interface YamlReaderDeps {
  /** Starts the thread of `main-yaml.ts`. */
  startThread: () => Promise<Worker>;
  clock: Pick<Clock, "deadline">;
  log: Pick<Log, "warn" | "error">;
  /** A text within the limits takes 0.4 s of a processor. */
  parseMs?: number;
  maxWaiting?: number;
}

const START_MS = 20_000;
const PARSE_MS = 5000;
const MAX_WAITING = 16;

/** Parses the YAML of callers in a thread of its own, one text at a time, so that no text blocks or ends the process. */
export function createYamlReader(deps: YamlReaderDeps): YamlReader {
  const { startThread, clock, log, parseMs = PARSE_MS, maxWaiting = MAX_WAITING } = deps;
  const inTurn = createMutex();
  let thread: Worker | undefined;
  let waiting = 0;

  async function end(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  }

  async function findThread(): Promise<Worker> {
    if (thread) return thread;
    const starting = await startThread();
    starting.unref();
    // A thread can also end between two texts.
    starting.on("error", () => undefined);
    starting.once("exit", () => {
      if (thread === starting) thread = undefined;
    });
    thread = starting;
    const ready = await awaitMessage(starting, clock.deadline(START_MS));
    if (ready !== YAML_READY) throw new Error("the YAML thread sent an unexpected first message");
    return starting;
  }

  async function startedThread(): Promise<Worker> {
    try {
      return await findThread();
    } catch (error) {
      log.error({ err: error }, "YAML thread failed to start");
      await end();
      throw new Problem("unavailable", "YAML cannot be parsed: its thread failed to start", { cause: error });
    }
  }

  async function ask(task: YamlTask): Promise<YamlResult> {
    const asked = await startedThread();
    const deadline = clock.deadline(parseMs);
    const answer = awaitMessage(asked, deadline);
    asked.postMessage(task);
    try {
      const result = await answer;
      if (!isResult(result)) throw new Error("the YAML thread sent an unexpected message");
      return result;
    } catch (error) {
      await end();
      log.warn({ err: error, characters: task.text.length }, "YAML thread ended before it had parsed a text");
      const why = deadline.aborted ? `could not be parsed within ${parseMs / 1000} seconds` : "could not be parsed";
      return { state: "refused", reason: why };
    }
  }

  return {
    async parse(text, options = {}) {
      if (waiting >= maxWaiting)
        throw new Problem("unavailable", "too many YAML texts wait to be parsed", { retryAfterSeconds: 5 });
      waiting += 1;
      try {
        const result = await inTurn("thread", () => ask({ text, options }));
        if (result.state === "refused") throw invalidField("yaml", result.reason);
        return result.documents;
      } finally {
        waiting -= 1;
      }
    },

    close: () => inTurn("thread", end),
  };
}

function isResult(message: unknown): message is YamlResult {
  return typeof message === "object" && message !== null && "state" in message;
}

/** The next message; rejects if the thread ends first. */
async function awaitMessage(thread: Worker, deadline: AbortSignal): Promise<unknown> {
  const ended = new AbortController();
  const signal = AbortSignal.any([deadline, ended.signal]);
  const onExit = (code: number) => ended.abort(new Error(`the thread exited with ${code}`));
  thread.once("exit", onExit);
  try {
    // `once` also rejects with the thread's error.
    const messages: unknown[] = await once(thread, "message", { signal });
    return messages[0];
  } finally {
    thread.off("exit", onExit);
  }
}

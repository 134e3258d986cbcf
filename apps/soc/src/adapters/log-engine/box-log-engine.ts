import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Background } from "../../foundation/base.ts";
import type { Restarts } from "../../foundation/health/health.ts";
import { type LogEngine, pingEngine } from "./log-engine.ts";

/**
 * The log engine of this machine: this process's own, or that of another process with the same data folder. The first
 * process to open the folder owns the engine; when the owner ends, another process opens it.
 */
export interface BoxLogEngine {
  /** The socket of the engine in use. If there is none, no process listens on it. */
  socketPath(): string;
  restarts(): Restarts;
  start(): void;
  close(): Promise<void>;
}

export interface BoxLogEngineDeps {
  /** Contains the address of the engine, for the other processes of this machine. */
  addressFile: string;
  createEngine: () => LogEngine;
  /** Creates the tables. Runs before any process uses the engine. */
  prepare: (socketPath: string) => Promise<void>;
  /** Runs while this process owns the engine, and in no other process of this machine. */
  whileOwner?: ((socketPath: string) => Background) | undefined;
  clock: Pick<Clock, "sleep" | "deadline">;
  log: Pick<Log, "info" | "warn">;
}

const UNIX = "unix:";
const NO_SOCKET = "/nonexistent/log-engine";
// The engine of a killed process ends shortly after it, and a starting engine has no address yet.
const RETRY_MS = 250;
const MAX_RETRY_MS = 5000;
const PING_INTERVAL_MS = 500;
const PING_MS = 5000;
const MAX_MISSED_PINGS = 2;

export function createBoxLogEngine(deps: BoxLogEngineDeps): BoxLogEngine {
  const { addressFile, createEngine, prepare, whileOwner, clock, log } = deps;
  const closing = new AbortController();
  let socketPath = NO_SOCKET;
  let own: LogEngine | undefined;
  let beside: Background | undefined;
  let running: Promise<void> | undefined;
  let lastFailure = "";
  let retryMs = RETRY_MS;
  let restarts: Restarts = { restarts_24h: 0, last_reason: null };

  const pause = (ms: number) => clock.sleep(ms, closing.signal).catch(() => undefined);
  const answers = (path: string) => pingEngine(path, AbortSignal.any([closing.signal, clock.deadline(PING_MS)]));

  function connectTo(path: string): void {
    socketPath = path;
    retryMs = RETRY_MS;
    lastFailure = "";
  }

  /** Runs an engine of this process until another process has taken its folder. */
  async function runOwn(engine: LogEngine): Promise<void> {
    try {
      await mkdir(dirname(addressFile), { recursive: true, mode: 0o700 });
      await engine.start();
      const path = engine.socketPath();
      await prepare(path);
      await publish(addressFile, engine.address());
      connectTo(path);
      beside = whileOwner?.(path);
      await beside?.start();
      await engine.ended();
    } finally {
      await beside?.close();
      socketPath = NO_SOCKET;
      restarts = engine.restarts();
      await engine.close();
    }
  }

  /** Shares the engine of another process until it stops responding. Returns false if there is none. */
  async function shareEngine(): Promise<boolean> {
    const path = parseAddress(await readFile(addressFile, "utf8").catch(() => ""));
    if (!(await answers(path))) return false;
    log.info({}, "using the log engine of another process");
    connectTo(path);
    for (let missed = 0; missed < MAX_MISSED_PINGS && !closing.signal.aborted; ) {
      await pause(PING_INTERVAL_MS);
      missed = (await answers(path)) ? 0 : missed + 1;
    }
    socketPath = NO_SOCKET;
    return true;
  }

  async function retryLater(error: unknown): Promise<void> {
    if (closing.signal.aborted) return;
    const failure = error instanceof Error ? error.message : String(error);
    if (failure !== lastFailure) log.warn({ err: error }, "starting the log engine failed, retrying");
    lastFailure = failure;
    await pause(retryMs);
    retryMs = Math.min(1.5 * retryMs, MAX_RETRY_MS);
  }

  async function keepRunning(): Promise<void> {
    while (!closing.signal.aborted) {
      if ((await shareEngine()) || closing.signal.aborted) continue;
      own = createEngine();
      await runOwn(own).catch(retryLater);
      own = undefined;
    }
  }

  return {
    socketPath: () => socketPath,
    restarts: () => own?.restarts() ?? restarts,
    start() {
      running ??= keepRunning();
    },
    async close() {
      closing.abort();
      await beside?.close();
      await own?.close();
      await running;
    },
  };
}

/** Reads the socket from the address file, for a process that never owns the engine. It may change with every call. */
export function readEngineSocket(addressFile: string): string {
  try {
    return parseAddress(readFileSync(addressFile, "utf8"));
  } catch {
    // No engine has been started yet.
    return NO_SOCKET;
  }
}

function parseAddress(text: string): string {
  return text.startsWith(UNIX) ? text.slice(UNIX.length) : NO_SOCKET;
}

/** Publishes the address of the engine to other processes of this machine. A reader never sees a partial address. */
export async function publish(addressFile: string, address: string): Promise<void> {
  const next = `${addressFile}.next`;
  await writeFile(next, address, { mode: 0o600 });
  await rename(next, addressFile);
}

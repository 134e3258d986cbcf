import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { MIN_FREE_BYTES, readFreeBytes } from "../../foundation/health/full-disks.ts";
import type { Restarts } from "../../foundation/health/health.ts";
import { readProcessorMs } from "../../foundation/health/processor-time.ts";
import type { LogLane } from "../../ports/log-store.ts";
import { createDiskWatch } from "./disk-watch.ts";
import { createRestarts } from "./restarts.ts";
import { readRunningStatements } from "./statements.ts";

/**
 * The log engine on a single machine: a child process that owns a folder and serves ClickHouse's HTTP interface to this
 * product only.
 */
export interface LogEngine {
  /** For ClickHouse's client, together with the agent. Both stay the same when the child process is replaced. */
  readonly url: string;
  readonly agent: Agent;
  /** The address for `openLogStore` in other processes of this machine. Valid once the engine has started. */
  address(): string;
  /** The socket of this address. */
  socketPath(): string;
  /** Resolves when the engine responds; rejects if its folder belongs to another process. */
  start(): Promise<void>;
  /** Whether the child responded to its last heartbeat. */
  isReady(): boolean;
  /**
   * Resolves immediately while the engine responds, otherwise when it does so again; rejects if that takes too long.
   */
  ready(): Promise<void>;
  /** The process id of the child; undefined between two children. */
  pid(): number | undefined;
  restarts(): Restarts;
  /** Resolves when another process has taken the folder between two children, and after `close`. */
  ended(): Promise<void>;
  /** Waits for running statements to finish, within a time limit. */
  close(): Promise<void>;
}

export interface LogEngineDeps {
  folder: string;
  /** The program of this process and the entry file that the child runs. */
  program: string;
  entry: string;
  /** Limit for all memory that the engine holds at the same time. */
  memoryBytes: number;
  /** The storage of its tables, if they are not in a folder. */
  storage?: EngineStorage;
  clock: Clock;
  log: Pick<Log, "info" | "warn">;
}

export interface EngineStorage {
  /** The content of `<storage_configuration>`. */
  xml: string;
  /** Secrets: the configuration names these variables, and no file contains their values. */
  environment: Readonly<Record<string, string>>;
}

const MIN_MEMORY_BYTES = 2 * 1024 ** 3;
const READERS: Readonly<Record<LogLane, number>> = { people: 3, previews: 2, rules: 2, stream: 2 };
const ALL_READERS = Object.values(READERS).reduce((sum, connections) => sum + connections, 0);
const WRITERS = 2;
// One thread for each connection, including the control connection, and the default four of Node.
const THREADS = ALL_READERS + WRITERS + 1 + 4;
// All readers at their limit leave the memory of two for the writers and for merges.
const RESERVED_SHARES = 2;
const HEARTBEAT_MS = 1000;
// After a fault inside the engine its process keeps running but no longer responds: only the missing response shows it.
const PATIENCE_MS = 5000;
// On an overloaded machine a response may be late. An engine that still computes is not dead yet.
const BUSY_PATIENCE_MS = 30_000;
// The threads of a crashed or frozen engine still use some ten milliseconds in this time.
const BUSY_MS = 500;
const SOCKETS = 128;
const STARTING_ASK_MS = 25;
// The engine loads a table of many parts before its first response.
const START_MS = 120_000;
const READY_MS = 30_000;
const CLOSE_MS = 5000;
const BACKOFF_MS = 25;
const MAX_BACKOFF_MS = 3000;
const GOOD_LIFE_MS = 10_000;
const MAX_ERROR_OUTPUT = 4000;
/**
 * Where the engine may write backups: wherever its user may, because only this user can reach it. One thread copies, so
 * that inserts and searches keep theirs. On a full disk it would merge logs into files that it cannot read.
 */
const formatConfiguration = ({ xml }: EngineStorage) => `<clickhouse>
<backups><allowed_path>/</allowed_path></backups><backup_threads>1</backup_threads>
<storage_configuration>${xml}</storage_configuration>
<merge_tree><min_free_disk_bytes_to_perform_insert>${MIN_FREE_BYTES}</min_free_disk_bytes_to_perform_insert></merge_tree>
</clickhouse>`;
const ON_DISK: EngineStorage = {
  xml: `<disks><default><keep_free_space_bytes>${MIN_FREE_BYTES}</keep_free_space_bytes></default></disks>`,
  environment: {},
};
const FOLDER_IN_USE = /Cannot lock file .*status/;

interface Child {
  running: ChildProcess;
  exited: Promise<unknown>;
  errorOutput(): string;
}

/**
 * The memory limit of the engine on a machine with this much memory. The engine does not reserve it; but near the limit
 * it keeps releasing memory that it needs again, and searches of ten million logs took one and a half times as long.
 */
export function computeEngineBytes(machineBytes: number): number {
  return Math.max(MIN_MEMORY_BYTES, Math.floor(machineBytes / 4));
}

/** A placeholder host name: the agent connects to the socket. */
export const ENGINE_URL = "http://log-engine";

export function agentOn(socketPath: () => string): Agent {
  return Object.assign(new Agent({ keepAlive: true, maxSockets: SOCKETS }), {
    createConnection: () => connect(socketPath()),
  });
}

/** Whether the engine on this socket responds and its parent still runs. */
export function pingEngine(socketPath: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: "/ping", agent: false, signal });
    asked.once("response", (answer) => {
      answer.once("error", () => resolve(false));
      answer.once("end", () => resolve(answer.statusCode === 200));
      answer.resume();
    });
    asked.once("error", () => resolve(false));
    asked.end();
  });
}

export function createLogEngine(deps: LogEngineDeps): LogEngine {
  const { folder, program, entry, memoryBytes, storage = ON_DISK, clock, log } = deps;
  let socketFolder = "";
  let current: Child | undefined;
  let isUp = false;
  let wasUp = false;
  let life: Promise<void> | undefined;
  const restarts = createRestarts(clock);
  const events = new EventEmitter<{ up: [] }>();
  const closing = new AbortController();
  const disk = createDiskWatch({ readFreeBytes: () => readFreeBytes(folder), clock });
  const socketPath = () => join(socketFolder, "engine");
  const statementsPath = () => join(socketFolder, "statements");
  const configurationPath = () => join(socketFolder, "engine.xml");
  const agent = agentOn(socketPath);

  function spawnChild(): Child {
    const env = { ...storage.environment, UV_THREADPOOL_SIZE: String(THREADS), TZ: "UTC" };
    const child = spawn(program, [entry], { env, stdio: ["pipe", "ignore", "pipe"] });
    const exited = once(child, "exit").catch(() => undefined);
    let errorOutput = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errorOutput = (errorOutput + chunk.toString("utf8")).slice(-MAX_ERROR_OUTPUT);
    });
    // The child may already be dead; its exit event reports that.
    child.stdin.on("error", () => undefined);
    const paths = {
      folder,
      socketPath: socketPath(),
      statementsPath: statementsPath(),
      configurationPath: configurationPath(),
    };
    const selectBytes = Math.floor(memoryBytes / (ALL_READERS + RESERVED_SHARES));
    const order = { ...paths, readers: READERS, writers: WRITERS, memoryBytes, selectBytes };
    child.stdin.write(`${JSON.stringify(order)}\n`);
    return { running: child, exited, errorOutput: () => errorOutput };
  }

  const answers = (withinMs: number) => pingEngine(socketPath(), clock.deadline(withinMs));

  /** Waits for the first response of a child. Returns why there is none. */
  async function awaitAnswer(child: Child, bornMs: number): Promise<string | undefined> {
    while (!(await answers(PATIENCE_MS))) {
      if (hasEnded(child)) return "ended before it was ready";
      if (clock.monotonicMs() - bornMs > START_MS) return "was not ready in time";
      await clock.sleep(STARTING_ASK_MS);
    }
    return undefined;
  }

  /** Monitors one child until it must be replaced, and returns the reason. */
  async function attend(child: Child): Promise<string> {
    const bornMs = clock.monotonicMs();
    const why = await awaitAnswer(child, bornMs);
    if (why !== undefined) return why;
    isUp = true;
    wasUp = true;
    log.info({ pid: child.running.pid, start_ms: Math.round(clock.monotonicMs() - bornMs) }, "log engine ready");
    events.emit("up");
    do {
      await Promise.race([child.exited, clock.sleep(HEARTBEAT_MS)]);
      if (await disk.mustReplace()) return "its disk was full: it must read its logs again";
    } while (!hasEnded(child) && (await answersOrComputes(child)));
    return hasEnded(child) ? "ended" : "does not answer";
  }

  /** Returns false if a response is missing and the process is frozen or has computed for too long. */
  async function answersOrComputes({ running }: Child): Promise<boolean> {
    const startMs = clock.monotonicMs();
    let computedMs = await readProcessorMs(running.pid);
    while (!(await answers(PATIENCE_MS))) {
      const formerMs = computedMs;
      computedMs = await readProcessorMs(running.pid);
      if (computedMs === undefined || formerMs === undefined || computedMs - formerMs < BUSY_MS) return false;
      if (clock.monotonicMs() - startMs > BUSY_PATIENCE_MS) return false;
      log.warn({ pid: running.pid }, "log engine responds late: the machine is overloaded");
    }
    return true;
  }

  async function live(): Promise<void> {
    let backoffMs = BACKOFF_MS;
    while (!closing.signal.aborted) {
      const bornMs = clock.monotonicMs();
      // A killed child leaves its socket file behind.
      await rm(socketPath(), { force: true });
      const child = spawnChild();
      current = child;
      const why = await attend(child);
      isUp = false;
      current = undefined;
      child.running.kill("SIGKILL");
      await child.exited;
      if (closing.signal.aborted) return;
      const errorOutput = child.errorOutput();
      if (!wasUp) throw refusedStart(folder, errorOutput);
      if (FOLDER_IN_USE.test(errorOutput)) return;
      restarts.note(why);
      backoffMs = clock.monotonicMs() - bornMs > GOOD_LIFE_MS ? BACKOFF_MS : Math.min(2 * backoffMs, MAX_BACKOFF_MS);
      const statements = await readRunningStatements(statementsPath(), clock.now());
      log.warn({ why, statements, words: errorOutput, backoff_ms: backoffMs }, "replacing the log engine");
      await clock.sleep(backoffMs, closing.signal).catch(() => undefined);
    }
  }

  async function removeSocket(): Promise<void> {
    if (socketFolder !== "") await rm(socketFolder, { recursive: true, force: true });
  }

  async function leave(refusal: unknown): Promise<never> {
    await removeSocket();
    throw refusal;
  }

  return {
    url: ENGINE_URL,
    agent,
    address: () => `unix:${socketPath()}`,
    socketPath,
    async start() {
      if (life) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Only this user may enter the folder, because access to it is access to the engine. The path is short because
      // socket paths are limited in length.
      socketFolder = await mkdtemp(join(tmpdir(), "soc-logs-"));
      await writeFile(configurationPath(), formatConfiguration(storage), { mode: 0o600 });
      life = live();
      await Promise.race([once(events, "up"), life.catch(leave)]);
    },
    isReady: () => isUp,
    async ready() {
      if (isUp) return;
      const patience = AbortSignal.any([closing.signal, clock.deadline(READY_MS)]);
      await once(events, "up", { signal: patience }).catch((cause: unknown) => {
        throw new Problem("unavailable", "the log store does not answer", { cause });
      });
    },
    pid: () => current?.running.pid,
    restarts: () => restarts.read(),
    ended: async () => life,
    async close() {
      closing.abort();
      const child = current;
      if (child) {
        child.running.stdin?.end();
        await Promise.race([child.exited, clock.sleep(CLOSE_MS)]);
        child.running.kill("SIGKILL");
      }
      await life?.catch(() => undefined);
      agent.destroy();
      await removeSocket();
    },
  };
}

function hasEnded({ running }: Child): boolean {
  return running.exitCode !== null || running.signalCode !== null || running.pid === undefined;
}

function refusedStart(folder: string, errorOutput: string): Problem {
  const why = FOLDER_IN_USE.test(errorOutput) ? "is in use by another process" : "cannot be opened by the log engine";
  return new Problem("unavailable", `log folder: '${folder}' ${why}`, { cause: new Error(errorOutput) });
}

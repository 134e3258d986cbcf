import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { createClock } from "@kit/clock";

export interface ProcessOptions {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The user to run as, for servers that refuse to run as root. */
  user?: { uid: number; gid: number };
  /** Printed by the process when it is ready, on either output. */
  readyWhen: RegExp;
  withinMs?: number;
}

export interface StartedProcess {
  pid: number;
  /** Everything it has printed so far. */
  output(): string;
  /** Sends the signal and waits for the end; kills it after ten seconds. Answers the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Sends a signal to one process. Without this check 0, as of a file that is still empty, would mean the whole test run. */
export function sendSignal(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || !Number.isSafeInteger(pid) || pid <= 1) throw new Error(`${pid} is no process to signal`);
  process.kill(pid, signal);
}

const clock = createClock();
const STOP_MS = 10_000;

/** Starts a real server and waits until it says that it is ready. */
export async function startProcess(options: ProcessOptions): Promise<StartedProcess> {
  const { command, args, env, user, readyWhen, withinMs = 30_000 } = options;
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
    ...user,
  });
  const exited = once(child, "exit");
  // A test that fails half-way must not leave its servers behind.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const output = collect(child);
  const isReady = () => readyWhen.test(output());
  const deadline = clock.deadline(withinMs);
  while (!isReady()) {
    if (child.exitCode !== null || deadline.aborted) {
      child.kill("SIGKILL");
      throw new Error(`${command} did not get ready (exit code ${child.exitCode}):\n${output()}`);
    }
    await clock.sleep(20);
  }
  return {
    pid: child.pid ?? 0,
    output,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await Promise.race([exited, clock.sleep(STOP_MS)]);
        child.kill("SIGKILL");
        await exited;
      }
      return child.exitCode;
    },
  };
}

const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;

/** A port that was free a moment ago, on loopback, below those that the system gives to outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}

function collect(child: ChildProcess): () => string {
  let text = "";
  const add = (chunk: Buffer) => {
    text += chunk.toString("utf8");
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  return () => text;
}

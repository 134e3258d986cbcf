import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";

/** How a service is started now; asked again at each start. */
export interface Start {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export interface ServiceOptions {
  name: string;
  /** The folder of the file with its output. */
  logs: string;
  start: () => Start;
  /** True if the service does its work. */
  isReady: () => Promise<boolean>;
}

/** A program under a service manager that restarts it when it ends. */
export interface Service {
  name: string;
  start(): Promise<void>;
  /** Ends it and leaves it ended. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Kills it; the service manager starts it again. */
  kill(): void;
  freeze(): void;
  thaw(): void;
  pid(): number | undefined;
  untilReady(): Promise<void>;
  /** The exit codes of unexpected ends. */
  exits(): readonly (number | string)[];
}

type Child = ReturnType<typeof spawn>;

const clock = createClock();
const RESTART_MS = 500;
const STOP_MS = 15_000;
const READY_MS = 240_000;
const ASK_MS = 100;
const running = new Set<Child>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export function createService({ name, logs, start, isReady }: ServiceOptions): Service {
  let child: Child | undefined;
  let isWanted = false;
  let wasKilled = false;
  const exits: (number | string)[] = [];

  function launch(): void {
    const { command, args, env } = start();
    const output = createWriteStream(join(logs, `${name}.log`), { flags: "a" });
    const launched = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    launched.stdout.pipe(output, { end: false });
    launched.stderr.pipe(output, { end: false });
    child = launched;
    running.add(launched);
    launched.once("close", (code, signal) => void output.end(`\n=== ended: ${code ?? signal}\n`));
    launched.once("exit", (code, signal) => {
      running.delete(launched);
      child = undefined;
      if (!isWanted) return;
      if (!wasKilled) exits.push(code ?? signal ?? "");
      wasKilled = false;
      void clock.sleep(RESTART_MS).then(() => isWanted && child === undefined && launch());
    });
  }

  async function untilReady(): Promise<void> {
    const deadline = clock.deadline(READY_MS);
    while (!(await isReady().catch(() => false))) {
      if (deadline.aborted) throw new Error(`${name} was not ready within ${READY_MS} ms`);
      await clock.sleep(ASK_MS);
    }
  }

  const signalIt = (signal: NodeJS.Signals) => {
    if (child?.pid !== undefined) sendSignal(child.pid, signal);
  };

  return {
    name,
    untilReady,
    async start() {
      isWanted = true;
      if (!child) launch();
      await untilReady();
    },
    async stop(signal) {
      isWanted = false;
      const stopping = child;
      if (!stopping) return;
      const exited = once(stopping, "exit");
      signalIt(signal);
      await Promise.race([exited, clock.sleep(STOP_MS)]);
      if (child === stopping) {
        stopping.kill("SIGKILL");
        await exited;
      }
    },
    kill() {
      wasKilled = child !== undefined;
      signalIt("SIGKILL");
    },
    freeze: () => signalIt("SIGSTOP"),
    thaw: () => signalIt("SIGCONT"),
    pid: () => child?.pid,
    exits: () => exits,
  };
}

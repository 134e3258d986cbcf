import { spawn } from "node:child_process";
import { Duplex } from "node:stream";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { mpvArguments } from "./mpv-arguments.ts";
import { createMpvIpc, type MpvIpc } from "./mpv-ipc.ts";

export interface MpvProcessDeps {
  command: string;
  output: string | undefined;
  clock: Pick<Clock, "deadline">;
}

/** One mpv process. */
export interface MpvProcess extends MpvIpc {
  /** Calls back once: when mpv cannot be started, has ended, was killed, or does not answer. */
  onDeath: (listener: (problem: Problem) => void) => void;
  kill(problem: Problem): void;
  /** Lets mpv exit by itself, and kills it after a timeout. */
  end(): Promise<void>;
}

const EXIT_TIMEOUT_MS = 1000;

export function startMpv({ command, output, clock }: MpvProcessDeps): MpvProcess {
  // Detached: Ctrl-C in a terminal reaches only the service, which ends mpv itself.
  const child = spawn(command, mpvArguments(output), { stdio: ["ignore", "ignore", "ignore", "pipe"], detached: true });
  const socket = child.stdio[3];
  if (!(socket instanceof Duplex)) throw new Error("the fourth stream of mpv is no socket");
  const listeners = new Set<(problem: Problem) => void>();

  const kill = (problem: Problem): void => {
    child.kill("SIGKILL");
    // Discard output of mpv that has not been read yet.
    socket.destroy();
    for (const listener of listeners) listener(problem);
    listeners.clear();
  };

  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      kill(new Problem("failed", "audio: mpv ended"));
      resolve();
    });
    child.on("error", (cause) => {
      kill(new Problem("failed", `audio: mpv ${isMissing(cause) ? "is not installed" : "cannot be run"}`, { cause }));
      resolve();
    });
  });
  socket.on("error", (cause) => kill(new Problem("failed", "audio: mpv ended", { cause })));
  socket.on("close", () => kill(new Problem("failed", "audio: mpv ended")));

  return {
    ...createMpvIpc({ socket, clock, onHang: () => kill(new Problem("failed", "audio: mpv does not answer")) }),
    onDeath: (listener) => void listeners.add(listener),
    kill,
    end() {
      socket.end();
      clock.deadline(EXIT_TIMEOUT_MS).addEventListener("abort", () => child.kill("SIGKILL"));
      return exited;
    },
  };
}

function isMissing(error: Error): boolean {
  return "code" in error && error.code === "ENOENT";
}

import { spawn } from "node:child_process";
import { Duplex } from "node:stream";
import { Problem } from "@kit/problem";
import { type AudioOutput, mpvArguments } from "./mpv-arguments.ts";

/** One mpv and its control socket. */
export interface LaunchedMpv {
  socket: Duplex;
  /** Resolves with the reason when mpv has ended or could not be run. */
  ended: Promise<Problem>;
  /** Ends mpv at once. */
  kill: () => void;
}

/** Starts one mpv; rejects with a Problem when that is impossible. */
export type LaunchMpv = () => Promise<LaunchedMpv>;

/** Runs mpv as a child process: it has the rights of this process. */
export function launchMpvAsChild({ command, ...audio }: AudioOutput & { command: string }): LaunchMpv {
  return async () => {
    // Detached: Ctrl-C in a terminal reaches only the service, which ends mpv itself.
    const child = spawn(command, mpvArguments(audio), {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      detached: true,
    });
    const socket = child.stdio[3];
    if (!(socket instanceof Duplex)) throw new Error("the fourth stream of mpv is no socket");
    const ended = new Promise<Problem>((resolve) => {
      child.once("exit", () => resolve(mpvEnded()));
      child.on("error", (cause) => {
        const why = isMissing(cause) ? "is not installed" : "cannot be run";
        resolve(new Problem("failed", `audio: mpv ${why}`, { cause }));
      });
    });
    return { socket, ended, kill: () => void child.kill("SIGKILL") };
  };
}

export function mpvEnded(): Problem {
  return new Problem("failed", "audio: mpv ended");
}

function isMissing(error: Error): boolean {
  return "code" in error && error.code === "ENOENT";
}

import type { ChildProcess } from "node:child_process";
import process from "node:process";

/** Ends all children when one of them ends or a signal arrives. The process fails if a child fails. */
export function runTogether(children: readonly ChildProcess[]): void {
  const stopAll = (signal: NodeJS.Signals): void => {
    for (const child of children) child.kill(signal);
  };
  process.on("SIGTERM", () => stopAll("SIGTERM"));
  process.on("SIGINT", () => stopAll("SIGINT"));
  for (const child of children) {
    child.on("exit", (code) => {
      // A child without a signal handler ends by the signal that it was sent, which is not a failure.
      if (code !== 0 && !(code === null && child.killed)) process.exitCode = code ?? 1;
      stopAll("SIGTERM");
    });
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Starts the named services side by side. When one of them ends, or a signal comes, all of them end. */
function main(names: readonly string[]): void {
  const children = names.map(startService);
  const stopAll = (signal: NodeJS.Signals): void => {
    for (const child of children) child.kill(signal);
  };
  process.on("SIGTERM", () => stopAll("SIGTERM"));
  process.on("SIGINT", () => stopAll("SIGINT"));
  for (const child of children) {
    child.on("exit", (code) => {
      if (code !== 0) process.exitCode = code ?? 1;
      stopAll("SIGTERM");
    });
  }
}

// A device has 512 MB: without a word Node keeps tens of them for garbage. docs/operations says the same.
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  player: ["--max-old-space-size=96", "--max-semi-space-size=2"],
};

function startService(name: string): ChildProcess {
  const entry = fileURLToPath(new URL(`../../apps/${name}/bundle/main.js`, import.meta.url));
  return spawn(process.execPath, [...(FLAGS[name] ?? []), entry], { stdio: "inherit" });
}

main(process.argv.slice(2));

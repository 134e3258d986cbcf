import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runTogether } from "./processes/run-together.ts";

// A device has 512 MB: without a word Node keeps tens of them for garbage. docs/operations says the same.
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  player: ["--max-old-space-size=96", "--max-semi-space-size=2"],
};

function startService(name: string): ChildProcess {
  const entry = fileURLToPath(new URL(`../../apps/${name}/bundle/main.js`, import.meta.url));
  return spawn(process.execPath, [...(FLAGS[name] ?? []), entry], { stdio: "inherit" });
}

runTogether(process.argv.slice(2).map(startService));

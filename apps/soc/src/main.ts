#!/usr/bin/env node
import process from "node:process";
import { createClock } from "@kit/clock";
import { runService } from "@kit/http/service";
import { createLog } from "@kit/log";

const clock = createClock();
const parts = { host: process, entry: import.meta.url, clock, log: createLog({ clock, level: "info" }) };
const [role, ...words] = process.argv.slice(2);

/**
 * The first argument is the role of the process; the default is the service. A role loads only the modules that it
 * needs.
 */
async function run(): Promise<void> {
  if (role === "command") {
    const { runCommands } = await import("./boot/command-line.ts");
    process.exitCode = await runCommands(parts, words, startService);
  } else if (role === "demo") {
    const { runDemo } = await import("./boot/demo-role.ts");
    process.exitCode = await runDemo(parts);
  } else if (role === "replay") {
    const { runReplay } = await import("./boot/commands/replay-command.ts");
    process.exitCode = await runReplay(words, process);
  } else if (role === "worker") {
    const { runWorker } = await import("./boot/worker-role.ts");
    await runWorker(parts);
  } else {
    await startService();
  }
}

async function startService(): Promise<void> {
  const { start } = await import("./boot/start.ts");
  await runService(process, parts, () => start(parts));
}

await run();

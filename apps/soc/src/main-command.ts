#!/usr/bin/env node
import process from "node:process";
import { createClock } from "@kit/clock";
import { runService } from "@kit/http/service";
import { createLog } from "@kit/log";

const terminal = {
  write: (text: string) => process.stdout.write(text),
  writeError: (text: string) => process.stderr.write(text),
};
const given = process.argv.slice(2);

async function runStart(): Promise<void> {
  const clock = createClock();
  const log = createLog({ clock, level: "info" });
  const { start } = await import("./composition/start.ts");
  await runService(process, { clock, log }, () => start({ host: process, entry: import.meta.url, clock, log }));
}

/** Each command loads what it needs. */
async function run(): Promise<void> {
  if (given[0] === "start") {
    await runStart();
  } else if (given[0] === "migrate") {
    const { runMigrate } = await import("./composition/migrate-command.ts");
    process.exitCode = await runMigrate(process.env, import.meta.url, terminal);
  } else if (given[0] === "rules") {
    const { runRules } = await import("./composition/rules-command.ts");
    process.exitCode = await runRules(given, process.env, terminal);
  } else if (given[0] === "cells") {
    const { runCells } = await import("./composition/cells/cells-command.ts");
    process.exitCode = await runCells(given, process.env, terminal);
  } else {
    const { runVerify } = await import("./composition/verify-command.ts");
    process.exitCode = await runVerify(given, terminal);
  }
}

await run();

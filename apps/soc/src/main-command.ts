#!/usr/bin/env node
import process from "node:process";
import { runRules } from "./composition/rules-command.ts";
import { runVerify } from "./composition/verify-command.ts";

const terminal = {
  write: (text: string) => process.stdout.write(text),
  writeError: (text: string) => process.stderr.write(text),
};
const given = process.argv.slice(2);

/** Each command loads what it needs. The entry files of processes read the arguments themselves and set the exit code. */
async function run(): Promise<void> {
  if (given[0] === "start") await import("./main.ts");
  else if (given[0] === "migrate") await import("./main-migrate.ts");
  else if (given[0] === "rules") process.exitCode = await runRules(given, process.env, terminal);
  else process.exitCode = await runVerify(given, terminal);
}

await run();

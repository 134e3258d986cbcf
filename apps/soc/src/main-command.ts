#!/usr/bin/env node
import process from "node:process";
import { runRules } from "./composition/rules-command.ts";
import { runVerify } from "./composition/verify-command.ts";

const terminal = {
  write: (text: string) => process.stdout.write(text),
  writeError: (text: string) => process.stderr.write(text),
};
const given = process.argv.slice(2);

process.exitCode =
  given[0] === "rules" ? await runRules(given, process.env, terminal) : await runVerify(given, terminal);

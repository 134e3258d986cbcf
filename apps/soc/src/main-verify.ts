#!/usr/bin/env node
import process from "node:process";
import { runVerify } from "./boot/commands/verify-command.ts";

process.exitCode = await runVerify(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});

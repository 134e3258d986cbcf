#!/usr/bin/env node
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import { readConfig } from "./config.ts";
import { runTokenCommand } from "./token/token-command.ts";

async function run() {
  try {
    return await runTokenCommand(process.argv.slice(2), readConfig(process.env).dataFolder, createIds(createClock()));
  } catch (error) {
    if (error instanceof Problem) return { exitCode: 1, stdout: "", stderr: `${error.message}\n` };
    throw error;
  }
}

const { exitCode, stdout, stderr } = await run();
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;

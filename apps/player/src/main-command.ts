#!/usr/bin/env node
import process from "node:process";
import { text } from "node:stream/consumers";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { runCommandLine } from "@kit/config/commands";
import { readVersion } from "@kit/config/version";
import { escapeInvisible } from "@kit/log/visible";
import { listPlayerCommands } from "./commands/player-commands.ts";

const clock = createClock();
const terminal = {
  write: (printed: string) => void process.stdout.write(escapeInvisible(printed)),
  writeError: (printed: string) => void process.stderr.write(escapeInvisible(printed)),
};
const commands = listPlayerCommands({
  environment: process.env,
  terminal,
  readInput: () => text(process.stdin),
  async start() {
    await import("./main.ts");
  },
  clock,
  ids: createIds(clock),
});
const version = await readVersion(new URL("../package.json", import.meta.url));

process.exitCode = await runCommandLine(
  { program: "manara-player", version, commands, terminal, sleep: (ms, signal) => clock.sleep(ms, signal) },
  process.argv.slice(2),
);

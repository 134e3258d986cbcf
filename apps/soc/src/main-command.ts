#!/usr/bin/env node
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { runCommandLine } from "@kit/config/commands";
import { readVersion } from "@kit/config/version";
import { runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { listSocCommands } from "./composition/commands/soc-commands.ts";

const clock = createClock();
const entry = import.meta.url;
const terminal = {
  write: (text: string) => void process.stdout.write(text),
  writeError: (text: string) => void process.stderr.write(text),
};

async function start(): Promise<void> {
  const log = createLog({ clock, level: "info" });
  const { start: startRole } = await import("./composition/start.ts");
  await runService(process, { clock, log }, () => startRole({ host: process, entry, clock, log }));
}

const version = await readVersion(new URL("../package.json", entry));
const commands = listSocCommands({
  environment: process.env,
  terminal,
  entry,
  start,
  version,
  node: process.version,
  program: process.execPath,
  clock,
  ids: createIds(clock),
});

process.exitCode = await runCommandLine(
  { program: "manara-soc", version, commands, terminal, sleep: (ms, signal) => clock.sleep(ms, signal) },
  process.argv.slice(2),
);

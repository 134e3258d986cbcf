import { createIds } from "@kit/clock/ids";
import { runCommandLine } from "@kit/config/commands";
import { readVersion } from "@kit/config/version";
import { escapeInvisible } from "@kit/log/visible";
import { listSocCommands } from "./commands/soc-commands.ts";
import type { StartDeps } from "./start.ts";

/** Runs a command of `manara-soc`. Returns the exit code. */
export async function runCommands(
  { host, entry, clock }: Pick<StartDeps, "host" | "entry" | "clock">,
  words: readonly string[],
  start: () => Promise<void>,
): Promise<number> {
  const terminal = {
    write: (text: string) => void host.stdout.write(escapeInvisible(text)),
    writeError: (text: string) => void host.stderr.write(escapeInvisible(text)),
  };
  const version = await readVersion(new URL("../package.json", entry));
  const commands = listSocCommands({
    environment: host.env,
    terminal,
    entry,
    start,
    version,
    node: host.version,
    program: host.execPath,
    clock,
    ids: createIds(clock),
  });
  const sleep = (ms: number, signal: AbortSignal) => clock.sleep(ms, signal);
  return runCommandLine({ program: "manara-soc", version, commands, terminal, sleep }, words);
}

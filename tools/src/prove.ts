import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { BENCHES } from "./prove/benches.ts";
import { parseOptions } from "./prove/options.ts";
import { PROOFS } from "./prove/proofs.ts";
import { type Command, runProofs } from "./prove/run-proofs.ts";

const clock = createClock();
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * `npm run prove -- <name>… [--situations FILE]` and `npm run bench -- <name>…`; without a name it prints the table. A file
 * is relative to the folder in which npm was called.
 */
function main([table, ...words]: readonly string[]): void {
  const isProof = table === "prove";
  const asked = parseOptions(words, (file) => resolve(process.env.INIT_CWD ?? ROOT, file));
  if (typeof asked === "string") {
    process.stderr.write(`${asked}\n`);
    process.exitCode = 2;
    return;
  }
  process.exitCode = runProofs(isProof ? PROOFS : BENCHES, asked.names, {
    execute: (command) => execute(command, { ...asked.env, ...(isProof && { PROVE: "full" }) }),
    print: (line) => void process.stdout.write(`${line}\n`),
    monotonicMs: () => clock.monotonicMs(),
  });
}

function execute({ program, arguments: given, env }: Command, forced: Readonly<Record<string, string>>): boolean {
  const { status } = spawnSync(program === "node" ? process.execPath : program, given, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...env, ...process.env, ...forced },
  });
  return status === 0;
}

main(process.argv.slice(2));

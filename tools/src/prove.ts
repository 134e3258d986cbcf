import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { BENCHES, PROOFS } from "./prove/proofs.ts";
import { type Command, runProofs } from "./prove/run-proofs.ts";

const clock = createClock();
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** `npm run prove -- <name>…` and `npm run bench -- <name>…`; without a name it prints the table. */
function main([table, ...names]: readonly string[]): void {
  const isProof = table === "prove";
  process.exitCode = runProofs(isProof ? PROOFS : BENCHES, names, {
    execute: (command) => execute(command, isProof ? { PROVE: "full" } : {}),
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

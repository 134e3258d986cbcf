import type { Proof, Run } from "./proof.ts";

/** A program, its arguments and its additions to the environment. */
export interface Command {
  program: "node" | "npm";
  arguments: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface RunProofsDeps {
  /** Whether the command succeeded. */
  execute: (command: Command) => boolean;
  print: (line: string) => void;
  monotonicMs: () => number;
}

const BUILD: Command = { program: "npm", arguments: ["run", "build"], env: {} };

/** Runs the named proofs one after another and prints a summary. The exit code: 0 if all passed, 1 if one failed, 2 for an unknown name. */
export function runProofs(proofs: readonly Proof[], names: readonly string[], deps: RunProofsDeps): number {
  const { print, monotonicMs } = deps;
  if (names.length === 0) {
    printTable(proofs, print);
    return 0;
  }
  const unknown = names.filter((name) => name !== "all" && !proofs.some((proof) => proof.name === name));
  if (unknown.length > 0) {
    print(`unknown: ${unknown.join(", ")}`);
    printTable(proofs, print);
    return 2;
  }
  const chosen = proofs.filter(({ name }) => names.includes("all") || names.includes(name));
  const isBuilt = chosen.some(({ needsBuild }) => needsBuild) ? deps.execute(BUILD) : true;
  const summary = chosen.map((proof) => {
    const startMs = monotonicMs();
    const outcome = runProof(proof, isBuilt, deps);
    return { name: proof.name, outcome, seconds: Math.round((monotonicMs() - startMs) / 1000) };
  });
  for (const { name, outcome, seconds } of summary) print(`${outcome}  ${name}  (${seconds} s)`);
  return summary.every(({ outcome }) => outcome === "passed") ? 0 : 1;
}

function runProof(proof: Proof, isBuilt: boolean, { execute, print }: RunProofsDeps): "passed" | "failed" {
  print(`== ${proof.name}: ${proof.description}`);
  if (proof.needsBuild && !isBuilt) {
    print("the build failed");
    return "failed";
  }
  // Run every part of a proof even after a failure, so that the report names all faults.
  const results = proof.runs.map((run) => execute({ ...toCommand(run), env: proof.env ?? {} }));
  return results.every(Boolean) ? "passed" : "failed";
}

function toCommand(run: Run): Omit<Command, "env"> {
  if ("script" in run) {
    return { program: "node", arguments: [run.script.replace("/src/", "/dist/").replace(/\.ts$/, ".js")] };
  }
  const flags = run.isSequential ? ["--no-file-parallelism"] : [];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", run.project];
  return { program: "node", arguments: [...vitest, ...flags, ...run.paths] };
}

function printTable(proofs: readonly Proof[], print: (line: string) => void): void {
  const width = Math.max(...proofs.map(({ name }) => name.length));
  for (const { name, description } of proofs) print(`${name.padEnd(width)}  ${description}`);
  print(`${"all".padEnd(width)}  every one of them, one after another`);
}

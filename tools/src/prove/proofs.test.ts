import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BENCHES } from "./benches.ts";
import { LONG_FILES } from "./long-files.ts";
import type { Proof } from "./proof.ts";
import { PROOFS } from "./proofs.ts";
import { ROTATED } from "./rotation.ts";
import { type Command, runProofs } from "./run-proofs.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe.each([
  ["proofs", PROOFS],
  ["benches", BENCHES],
])("table of %s", (_table, proofs) => {
  it("names only existing paths", () => {
    const paths = proofs.flatMap(({ runs }) => runs.flatMap((run) => ("script" in run ? [run.script] : run.paths)));
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("has unique names and none called all", () => {
    const names = proofs.map(({ name }) => name);
    expect(new Set([...names, "all"]).size).toBe(names.length + 1);
  });
});

const SUFFIXES = {
  unit: ".test.ts",
  integration: ".itest.ts",
  "integration*": ".itest.ts",
  bench: ".itest.ts",
  "e2e*": ".e2e.ts",
};

/** Whether a proof or a bench runs the file. */
function isProven(file: string): boolean {
  return [...PROOFS, ...BENCHES]
    .flatMap(({ runs }) => runs)
    .some(
      (run) =>
        "paths" in run &&
        file.endsWith(SUFFIXES[run.project]) &&
        run.paths.some((path) => file === path || file.startsWith(`${path}/`)),
    );
}
const listTests = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", ...patterns], { cwd: ROOT, encoding: "utf8" })
    .trim()
    .split("\n");

it("has a proof for each file that not every build runs", () => {
  const benches = listTests("apps/soc/testing/bench/*.itest.ts");
  expect([...Object.keys(ROTATED), ...benches].filter((file) => !isProven(file))).toEqual([]);
});

it("has a proof for each file that a build samples", () => {
  const sampled = listTests("*.test.ts", "*.itest.ts", "*.e2e.ts").filter((file) =>
    /process\.env\.PROVE\b|\/counts\.ts"/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(sampled.length).toBeGreaterThan(50);
  expect(sampled.filter((file) => !isProven(file))).toEqual([]);
});

it("starts a run with existing long files", () => {
  expect(LONG_FILES.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

const TABLE: readonly Proof[] = [
  { name: "a", description: "first", needsBuild: false, env: { SIZE: "9" }, runs: [{ project: "unit", paths: ["x"] }] },
  {
    name: "bb",
    description: "second",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: ["y", "z"], isSequential: true }, { script: "tools/src/w.ts" }],
  },
];

function run(names: readonly string[], failing: readonly string[] = []) {
  const lines: string[] = [];
  const commands: string[] = [];
  const execute = ({ program, arguments: given, env }: Command) => {
    const words = [...Object.entries(env).map((entry) => entry.join("=")), program, ...given];
    commands.push(words.join(" ").replace("node_modules/vitest/vitest.mjs", "vitest"));
    return !failing.some((word) => words.includes(word));
  };
  const exitCode = runProofs(TABLE, names, { execute, print: (line) => lines.push(line), monotonicMs: () => 0 });
  return { exitCode, commands, lines };
}

describe("runProofs", () => {
  it("prints every name with its description when no name is given", () => {
    const { exitCode, commands, lines } = run([]);
    expect(lines).toEqual(["a   first", "bb  second", "all  every one of them, one after another"]);
    expect([exitCode, commands]).toEqual([0, []]);
  });

  it("refuses an unknown name and runs nothing", () => {
    const { exitCode, commands, lines } = run(["a", "c"]);
    expect([exitCode, commands, lines[0]]).toEqual([2, [], "unknown: c"]);
  });

  it("runs a proof without building when it tests the sources", () => {
    expect(run(["a"]).commands).toEqual(["SIZE=9 node vitest run --project unit x"]);
  });

  it.each([[["all"]], [["bb", "a"]]])("builds once and runs every selected proof for %j", (names) => {
    const { exitCode, commands, lines } = run(names);
    expect(commands).toEqual([
      "npm run build",
      "SIZE=9 node vitest run --project unit x",
      "node vitest run --project e2e* --no-file-parallelism y z",
      "node tools/dist/w.js",
    ]);
    expect([exitCode, lines.slice(-2)]).toEqual([0, ["passed  a  (0 s)", "passed  bb  (0 s)"]]);
  });

  it("exits with 1 when a run fails, after running all others", () => {
    const { exitCode, commands, lines } = run(["all"], ["y"]);
    expect(commands).toHaveLength(4);
    expect([exitCode, lines.slice(-2)]).toEqual([1, ["passed  a  (0 s)", "failed  bb  (0 s)"]]);
  });

  it("fails proofs that need a build when the build fails", () => {
    const { exitCode, commands, lines } = run(["all"], ["build"]);
    expect(commands).toHaveLength(2);
    expect([exitCode, lines.slice(-2)]).toEqual([1, ["passed  a  (0 s)", "failed  bb  (0 s)"]]);
  });
});

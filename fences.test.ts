import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plantWorkspace } from "./tools/src/architecture/planted-workspace.ts";
import { readTree } from "./tools/src/architecture/tree.ts";

// Every row is a violation, planted in a copy of the workspace, and the rule of the tool that must report it. The fences
// of architecture.test.ts have their planted violations in tools/src/architecture/rules.test.ts.

/** The least that every tool accepts: each package has an entry, one service uses the kit, one page uses a contract. */
const CLEAN = {
  "vitest.config.ts": 'import { defineConfig } from "vitest/config";\n\nexport default defineConfig({});\n',
  "packages/problem/src/problem.ts": "export async function later(): Promise<number> {\n  return 1;\n}\n",
  "packages/problem/src/problem.test.ts": `import { expect, it } from "vitest";
import { later } from "./problem.ts";

it("answers", async () => {
  expect(await later()).toBe(1);
});
`,
  "apps/player/src/main.ts":
    'import { later } from "@kit/problem";\n\nprocess.exitCode = process.env.ASK ? await later() : 0;\n',
  "apps/player/testing/nothing.ts": "export {};\n",
  "apps/player/src/system/system.schema.ts": "export interface SystemBody {\n  uptime_s: number;\n}\n",
  "apps/player-dashboard/src/app/install/service-worker.ts": `export {};\n`,
  "apps/player-dashboard/src/main.tsx": `import type { SystemBody } from "@player/service/contract/system";

const system: SystemBody = { uptime_s: 1 };
document.title = String(system.uptime_s);
`,
  "packages/query/src/query.ts": "export {};\n",
  "apps/soc/src/main.ts": "export {};\n",
  "apps/soc/testing/processes/own-process.ts": "export {};\n",
  "apps/soc/src/identity/auth/auth.schema.ts": "export {};\n",
  "apps/soc-console/src/main.tsx": "export {};\n",
  "packaging/src/build-player.ts": "export {};\n",
  "tools/src/start.ts": "export {};\n",
  "e2e/player/start.e2e.ts": 'import { it } from "vitest";\n\nit.todo("starts");\n',
};

const DEPENDENCIES = {
  "": ["vitest"],
  "apps/player": ["@kit/problem"],
  "apps/player-dashboard": ["@player/service"],
  // Only style sheets use it, which knip does not read.
  "apps/soc-console": ["@fontsource/ibm-plex-mono"],
  // Only code that a test writes uses it.
  packaging: ["kubernetes-types"],
};

/** What must be reported, in which file (without a folder: in packages/log/src), for which code. */
type Planted = readonly [rule: string | readonly string[], file: string, code: string];

const buildLines = (count: number) =>
  Array.from({ length: count }, (_, at) => `export const a${at} = ${at};\n`).join("");

const BIOME: readonly Planted[] = [
  ["format", "format.ts", "export const a = {\n    b: 'c'\n}\n"],
  ["format", "width.ts", `export const sum = ${"1 + ".repeat(40)}1;\n`],
  [
    "source/organizeImports",
    "order.ts",
    'import { b } from "./b.ts";\nimport { a } from "./a.ts";\n\nexport const sum = a + b;\n',
  ],
  ["style/noDefaultExport", "default-export.ts", "export default function one(): number {\n  return 1;\n}\n"],
  ["performance/noBarrelFile", "barrel.ts", 'export { a } from "./a.ts";\n'],
  [["performance/noBarrelFile", "performance/noReExportAll"], "all.ts", 'export * from "./a.ts";\n'],
  ["suspicious/noImportCycles", "egg.ts", 'import { hen } from "./hen.ts";\n\nexport const egg = () => hen;\n'],
  ["suspicious/noImportCycles", "hen.ts", 'import { egg } from "./egg.ts";\n\nexport const hen = () => egg;\n'],
  ["style/noProcessEnv", "env.ts", "export const port = process.env.PORT;\n"],
  ["style/noEnum", "enum.ts", 'export enum Mode {\n  On = "on",\n}\n'],
  ["suspicious/noExplicitAny", "any.ts", "export const is = (a: any) => a === 1;\n"],
  ["style/noNonNullAssertion", "bang.ts", "export const first = (all: string[]) => all[0]!;\n"],
  ["style/useFilenamingConvention", "camelCase.ts", "export {};\n"],
  ["style/useFilenamingConvention", "Card.schema.ts", "export {};\n"],
  ["style/noExcessiveLinesPerFile", "long.ts", buildLines(401)],
  ["style/noExcessiveLinesPerFile", "long.test.ts", buildLines(601)],
  [
    "complexity/noExcessiveCognitiveComplexity",
    "maze.ts",
    `export function maze(a: number): number {
  if (a > 1) {
    if (a > 2) {
      if (a > 3) {
        if (a > 4) {
          if (a > 5) {
            if (a > 6) return 6;
          }
        }
      }
    }
  }
  return 0;
}
`,
  ],
  ["correctness/noUndeclaredDependencies", "undeclared.ts", 'import pino from "pino";\n\nexport const log = pino();\n'],
  ["correctness/noUnusedImports", "unused-import.ts", 'import { a } from "./a.ts";\n\nexport const b = 2;\n'],
  ["correctness/noUnusedVariables", "unused.ts", "const a = 1;\n\nexport {};\n"],
  ["correctness/noUnusedFunctionParameters", "unused-parameter.ts", "export const one = (a: number) => 1;\n"],
  ["correctness/useImportExtensions", "extension.ts", 'import { a } from "./a";\n\nexport const b = a;\n'],
  [
    "style/noParameterProperties",
    "parameter-property.ts",
    `export class Log {
  constructor(readonly name: string) {
    this.name = name.trim();
  }
}
`,
  ],
  ["style/noNamespace", "namespace.ts", "export namespace Log {\n  export const a = 1;\n}\n"],
  ["style/useImportType", "import-type.ts", 'import { A } from "./a.ts";\n\nexport const b = (a: A) => a;\n'],
  [
    "style/useNodejsImportProtocol",
    "protocol.ts",
    'import { readFileSync } from "fs";\n\nexport const read = readFileSync;\n',
  ],
  [
    "suspicious/noEmptyBlockStatements",
    "swallow.ts",
    `export function swallow(task: () => void): void {
  try {
    task();
  } catch {}
}
`,
  ],
  ["complexity/useLiteralKeys", "literal-key.ts", 'export const b = (a: { b: number }) => a["b"];\n'],
  [
    "suspicious/noFocusedTests",
    "focused.test.ts",
    'import { it } from "vitest";\n\nit.only("runs alone", () => undefined);\n',
  ],
  [
    "suspicious/noSkippedTests",
    "skipped.test.ts",
    'import { it } from "vitest";\n\nit.skip("never runs", () => undefined);\n',
  ],
  [
    "correctness/useHookAtTopLevel",
    "apps/soc-console/src/hook.tsx",
    `import { useState } from "react";

export function Toggle({ on }: { on: boolean }) {
  if (on) useState(0);
  return null;
}
`,
  ],
];

const OXLINT: readonly Planted[] = [
  ["no-floating-promises", "floating.ts", "const later = async () => 1;\n\nlater();\n"],
  // The type comes from another package, through its "source" door.
  ["no-floating-promises", "apps/player/src/floating.ts", 'import { later } from "@kit/problem";\n\nlater();\n'],
  [
    "no-floating-promises",
    "packages/problem/src/floating.test.ts",
    'import { later } from "./problem.ts";\n\nlater();\n',
  ],
  [
    "no-misused-promises",
    "misused.ts",
    "export const run = (tasks: string[]) => tasks.forEach(async (task) => task.trim());\n",
  ],
  [
    "switch-exhaustiveness-check",
    "exhaustive.ts",
    `export function levelOf(mode: "on" | "off" | "auto"): number {
  switch (mode) {
    case "on":
      return 1;
    default:
      return 0;
  }
}
`,
  ],
  [
    "await-thenable",
    "thenable.ts",
    "export async function one(): Promise<number> {\n  const a = await 1;\n  return a;\n}\n",
  ],
  ["no-unnecessary-type-assertion", "needless.ts", "export const same = (a: string) => a as string;\n"],
  ["no-unsafe-type-assertion", "assertion.ts", "export const text = (a: unknown) => a as string;\n"],
  ["no-unsafe-return", "unsafe-return.ts", "export const read = (text: string): string => JSON.parse(text);\n"],
  ["no-unsafe-member-access", "unsafe-member.ts", "export const is = (text: string) => JSON.parse(text).a === 1;\n"],
  ["only-throw-error", "throw.ts", 'export function fail(): never {\n  throw "no";\n}\n'],
  [
    "return-await",
    "return-await.ts",
    `export async function guarded(task: () => Promise<number>): Promise<number> {
  try {
    return task();
  } finally {
    await task();
  }
}
`,
  ],
  ["restrict-template-expressions", "template.ts", `export const text = (a: number[]) => \`\${a}\`;\n`],
  ["unused directive", "directive.ts", "// oxlint-disable-next-line\nexport const a = 1;\n"],
  ["no-array-delete", "array-delete.ts", "export function drop(all: string[]): void {\n  delete all[0];\n}\n"],
  ["no-base-to-string", "base-to-string.ts", "export const text = (a: { b: number }) => String(a);\n"],
  [
    "no-deprecated",
    "deprecated.ts",
    "/** @deprecated take the other one */\nconst old = 1;\n\nexport const a = old;\n",
  ],
  ["no-duplicate-type-constituents", "duplicate-type.ts", "export type A = string | number | string;\n"],
  [
    "no-for-in-array",
    "for-in-array.ts",
    "export function each(all: string[]): void {\n  for (const at in all) all.push(at);\n}\n",
  ],
  ["no-implied-eval", "implied-eval.ts", 'export const run = () => setTimeout("alert(1)", 1);\n'],
  ["no-meaningless-void-operator", "void-operator.ts", "const nothing = (): void => undefined;\n\nvoid nothing();\n"],
  ["no-misused-spread", "spread.ts", "export const all = (names: Map<string, string>) => ({ ...names });\n"],
  ["no-redundant-type-constituents", "redundant-type.ts", "export type A = unknown | string;\n"],
  ["no-unnecessary-boolean-literal-compare", "compare.ts", "export const is = (a: boolean) => a === true;\n"],
  [
    "no-unnecessary-type-arguments",
    "type-arguments.ts",
    "const box = <T = string>(a?: T) => a;\n\nexport const a = () => box<string>();\n",
  ],
  [
    "no-unsafe-argument",
    "unsafe-argument.ts",
    "export const length = (text: string) => Number.parseInt(JSON.parse(text), 10);\n",
  ],
  [
    "no-unsafe-assignment",
    "unsafe-assignment.ts",
    "export function keep(text: string): void {\n  const a = JSON.parse(text);\n}\n",
  ],
  ["no-unsafe-call", "unsafe-call.ts", "export function call(text: string): void {\n  JSON.parse(text)();\n}\n"],
  ["prefer-promise-reject-errors", "reject.ts", 'export const fail = () => Promise.reject("no");\n'],
  ["require-array-sort-compare", "sort.ts", "export const sorted = (all: number[]) => all.sort();\n"],
  ["restrict-plus-operands", "plus.ts", 'export const sum = (a: number[]) => a + "1";\n'],
  [
    "unbound-method",
    "unbound.ts",
    `class Log {
  write(): Log {
    return this;
  }
}

export const { write } = new Log();
`,
  ],
  [
    "use-unknown-in-catch-callback-variable",
    "catch.ts",
    "export const run = (task: Promise<void>) => task.catch((error) => error === 1);\n",
  ],
];

const TSC: readonly Planted[] = [
  // Nothing outside the package: rootDir, and the file list of a composite project.
  [["TS6059", "TS6307"], "apps/player/src/outside.ts", 'import "../../soc/src/main.ts";\n'],
  [
    "TS2307",
    "apps/player/src/window.ts",
    'import { later } from "@kit/problem/src/problem.ts";\n\nexport const task = later;\n',
  ],
  [
    "TS2307",
    "apps/player-dashboard/src/window.ts",
    'import { a } from "@player/service/src/main.ts";\n\nexport const b = a;\n',
  ],
  [
    "TS2307",
    "apps/soc-console/src/window.ts",
    'import type { A } from "@soc/service/contract/auth/auth.store";\n\nexport type B = A;\n',
  ],
  ["TS1294", "packages/config/src/enum.ts", "export enum Mode {\n  On,\n}\n"],
  ["TS2322", "packages/config/src/indexed.ts", "export const first = (all: string[]): string => all[0];\n"],
  ["TS2375", "packages/config/src/optional.ts", "export const a: { b?: number } = { b: undefined };\n"],
  [
    "TS1484",
    "packages/config/src/verbatim.ts",
    'import { SourceType } from "./source-type.ts";\n\nexport const a: SourceType = 1;\n',
  ],
  ["TS6133", "packages/config/src/unused.ts", "const a = 1;\n\nexport {};\n"],
];

const KNIP: readonly Planted[] = [
  ["files", "apps/soc/src/orphan.ts", "export const a = 1;\n"],
  ["exports", "packages/guard/src/address.ts", "export const notImported = 1;\n"],
  ["types", "packages/guard/src/target.ts", "export type NotImported = 1;\n"],
  ["unlisted", "packages/guard/src/guard.test.ts", 'import "pino";\n'],
  ["unresolved", "tools/src/broken.ts", 'import "./missing.ts";\n'],
];

const toPath = (file: string) => (file.includes("/") ? file : `packages/log/src/${file}`);

/** Files that a planted one needs; they break nothing themselves. */
const NEIGHBOURS = {
  "packages/log/src/a.ts": "export type A = number;\n\nexport const a: A = 1;\n",
  "packages/log/src/b.ts": "export const b = 2;\n",
  "packages/config/src/source-type.ts": "export type SourceType = number;\n",
};

type Reports = Map<string, Set<string>>;
type Tool = "biome" | "oxlint" | "tsc" | "knip";

function groupReports(found: Iterable<readonly [string, string]>): Reports {
  const reports: Reports = new Map();
  for (const [file, rule] of found) reports.set(file, (reports.get(file) ?? new Set()).add(rule));
  return reports;
}

const COMMANDS: Record<Tool, { args: string[]; read: (output: string) => Iterable<readonly [string, string]> }> = {
  biome: {
    args: ["ci", "--colors=off", "--reporter=json", "--max-diagnostics=none", "."],
    read: (output) =>
      JSON.parse(output)
        // The command fails on errors only.
        .diagnostics.filter(({ severity }: { severity: string }) => severity === "error")
        .map((each: { category: string; location: { path: string } }) => [
          each.location.path,
          each.category.replace(/^(lint|assist)\//, ""),
        ]),
  },
  oxlint: {
    args: ["--type-aware", "--deny-warnings", "-f", "json", "."],
    read: (output) =>
      JSON.parse(output).diagnostics.map((each: { code?: string; filename: string }) => [
        each.filename,
        each.code?.replace(/^typescript\((.*)\)$/, "$1") ?? "unused directive",
      ]),
  },
  tsc: {
    args: ["-b", "--pretty", "false"],
    read: (output) =>
      [...output.matchAll(/^(\S+)\(\d+,\d+\): error (TS\d+)/gm)].map(([, file = "", code = ""]) => [file, code]),
  },
  knip: {
    args: ["--no-progress", "--reporter", "json"],
    read: (output) =>
      JSON.parse(output).issues.flatMap(({ file, ...kinds }: { file: string } & Record<string, unknown[]>) =>
        Object.entries(kinds).flatMap(([kind, found]) => (found.length > 0 ? [[file, kind]] : [])),
      ),
  },
};

interface Run {
  exitCode: number;
  output: string;
  reports: Reports;
}

function run(tool: Tool, directory: string): Promise<Run> {
  const { args, read } = COMMANDS[tool];
  const program = join(import.meta.dirname, "node_modules/.bin", tool);
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: directory, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      try {
        resolve({ exitCode: Number(error?.code ?? 0), output, reports: groupReports(read(stdout)) });
      } catch (cause) {
        reject(new Error(`${tool} answered: ${output}`, { cause }));
      }
    });
  });
}

describe("tools", () => {
  const tools: readonly Tool[] = ["biome", "oxlint", "tsc", "knip"];
  const runs = new Map<string, Run>();
  const directories: string[] = [];

  async function plant(planted: Readonly<Record<string, string>>, dependencies: Readonly<Record<string, string[]>>) {
    const root = import.meta.dirname;
    const workspaces = readTree(root).workspaces.filter(({ dir }) => dir !== "");
    const directory = await plantWorkspace({ root, workspaces, dependencies, files: { ...CLEAN, ...planted } });
    directories.push(directory);
    return directory;
  }

  beforeAll(async () => {
    const rows = [...BIOME, ...OXLINT, ...TSC, ...KNIP].map(([, file, code]) => [toPath(file), code]);
    const clean = await plant({}, DEPENDENCIES);
    const planted = await plant(
      { ...NEIGHBOURS, ...Object.fromEntries(rows) },
      { ...DEPENDENCIES, "packages/clock": ["fast-check"], "apps/soc-console": ["react", "@fontsource/ibm-plex-mono"] },
    );
    for (const tool of tools) {
      runs.set(`${tool} clean`, await run(tool, clean));
      runs.set(`${tool} planted`, await run(tool, planted));
    }
  }, 120_000);

  afterAll(async () => {
    for (const directory of directories) await rm(directory, { recursive: true });
  });

  it.each(tools)("%s accepts the clean workspace and refuses the planted one", (tool) => {
    expect(runs.get(`${tool} clean`)).toMatchObject({ exitCode: 0, reports: new Map() });
    expect(runs.get(`${tool} planted`)?.exitCode).toBeGreaterThan(0);
  });

  const rows = Object.entries({ biome: BIOME, oxlint: OXLINT, tsc: TSC, knip: KNIP }).flatMap(([tool, planted]) =>
    planted.map(([rule, file]) => [tool, [rule].flat(), toPath(file)] as const),
  );

  it.each(rows)("%s reports %s in %s and nothing else there", (tool, rules, file) => {
    expect([...(runs.get(`${tool} planted`)?.reports.get(file) ?? [])].toSorted()).toEqual(rules);
  });

  it("each rule that the settings name has a planted violation", async () => {
    const biome = JSON.parse(await readFile(join(import.meta.dirname, "biome.json"), "utf8")).linter.rules;
    const oxlint = JSON.parse(await readFile(join(import.meta.dirname, ".oxlintrc.json"), "utf8")).rules;
    const groups = Object.entries<object>(biome).filter(([group]) => group !== "preset");
    const named = groups.flatMap(([group, rules]) => Object.keys(rules).map((rule) => `${group}/${rule}`));
    expect(named.filter((rule) => !BIOME.some(([planted]) => [planted].flat().includes(rule)))).toEqual([]);
    const typed = Object.keys(oxlint).map((rule) => rule.replace("typescript/", ""));
    expect(typed.filter((rule) => !OXLINT.some(([planted]) => planted === rule))).toEqual([]);
  });

  it("knip reports a dependency that no file imports", () => {
    expect(runs.get("knip planted")?.reports.get("packages/clock/package.json")).toEqual(new Set(["dependencies"]));
  });
});

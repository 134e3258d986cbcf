import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, "../../..");
const GENERATOR = join(dirname(require.resolve("openapi-typescript")), "../bin/cli.js");
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
const OPTIONS = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--target", "es2023"];

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openapi-client-"));
});
afterAll(async () => rm(folder, { recursive: true }));

/** The errors of the compiler for a program that imports the types generated from a product's document. */
async function compile(product: "soc" | "player", program: string): Promise<string> {
  const document = join(ROOT, `docs/api/${product}.openapi.json`);
  await run(process.execPath, [GENERATOR, document, "--output", join(folder, "api.d.ts")], { cwd: folder });
  const file = join(folder, "client.ts");
  await writeFile(file, `import type { components, operations } from "./api.d.ts";\n${program}`);
  const compiled = run(process.execPath, [COMPILER, ...OPTIONS, file], { cwd: folder });
  return compiled.then(
    () => "",
    // A rejection of execFile carries what the command printed.
    (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)),
  );
}

const SOC = `
type Page = operations["listAlerts"]["responses"][200]["content"]["application/json"];
export const count = (page: Page): number => page.items.filter(({ severity }) => severity === "critical").length;
export const query: operations["listAlerts"]["parameters"]["query"] = { limit: 10, status: ["new"] };
export const request: components["schemas"]["CreateCaseRequest"] = { title: "Beacon", severity: "high" };
export type ExecuteResponse = operations["executeSoarPlaybook"]["responses"][200]["content"]["application/json"];
export const textOf = ({ detail }: components["schemas"]["Problem"]): string => detail;
// @ts-expect-error: there is no such severity
export const wrong: components["schemas"]["Alert"]["severity"] = "urgent";
`;
const PLAYER = `
type Status = operations["getPlaybackStatus"]["responses"][200]["content"]["application/json"];
export const isPlaying = ({ state }: Status): boolean => state === "playing";
export const request: operations["setVolume"]["requestBody"]["content"]["application/json"] = { volume: 40 };
export const binding: components["schemas"]["Target"] = { type: "surah", reciter: "husary", surah: 1 };
// @ts-expect-error: there is no such operation
export type Dance = operations["dance"];
`;

it.each([
  ["soc", SOC],
  ["player", PLAYER],
] as const)("generates a client of the %s that compiles", { timeout: 120_000 }, async (product, program) => {
  expect(await compile(product, program)).toBe("");
});

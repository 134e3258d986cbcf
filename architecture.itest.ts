import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

// `npm run lint` checks the repository by the same configurations. Here each rule meets one violation.

const ROOT = import.meta.dirname;
const SOC = "apps/soc/src";
const PLAYER = "../../player/src";
const run = promisify(execFile);

const PLANTED: readonly [rule: string, path: string, text: string][] = [
  ["module-entry", "logs/tail/a.ts", `import type { A } from "../../alerts/alerts/a.ts"; export type B = A;`],
  ["module-order-alerts", "alerts/alerts/a.ts", `import type { A } from "../../cases/module.ts"; export type { A };`],
  ["module-order-foundation", "foundation/audit/a.ts", `export { a } from "../../boot/wire.ts";`],
  ["adapter-entry", "adapters/a.ts", `export { a } from "../boot/wire.ts";`],
  ["folder-cycles", "cases/cases/a.ts", `import type { B } from "../ledger/b.ts"; export type A = B;`],
  ["", "cases/ledger/b.ts", `import type { A } from "../cases/a.ts"; export type B = A;`],
  ["adapter-folders", "adapters/nats/a.ts", `import type { A } from "../b.ts"; export type B = A;`],
  ["", "adapters/b.ts", "export type A = 1;"],
  ["folder-cycles", "adapters/files/a.ts", `import type { B } from "../backup/b.ts"; export type A = B;`],
  ["", "adapters/backup/b.ts", `import type { A } from "../files/a.ts"; export type B = A;`],
  ["folder-cycles", `${PLAYER}/radio/a.ts`, `import type { B } from "../rfid/b.ts"; export type A = B;`],
  ["", `${PLAYER}/rfid/b.ts`, `import type { A } from "../radio/a.ts"; export type B = A;`],
  ["sockets", "identity/users/a.ts", `import { request } from "node:https"; request("https://example.org");`],
  ["child-processes", "identity/users/b.ts", `import { spawn } from "node:child_process"; spawn("true");`],
  ["", "alerts/alerts/b.ts", "export type A = 1;"],
  ["", "boot/wire.ts", "export const a = 1;"],
  ["", "cases/module.ts", `export type { A } from "./cases/a.ts";`],
];

const LINTED: readonly [rule: string, text: string][] = [
  ["no-restricted-globals", "setTimeout(() => undefined, 1);"],
  ["no-restricted-globals", `await fetch("https://example.org");`],
  ["no-restricted-properties", "export const now = Date.now();"],
  ["no-restricted-properties", "export const chance = Math.random();"],
  ["no-restricted-imports", `import { connect } from "node:net"; connect(1);`],
  ["no-restricted-imports", `import { randomUUID } from "node:crypto"; randomUUID();`],
];

/** A list of parts, or the registrations of one. The spread of a part's object hides what it hands over. */
const NAMED_SPREAD = /^\.\.\.(?:\[|(?:\w+\.)?registrations\b|recorded\b|spanning\b)/;
const findSpreads = (text: string) => [...text.matchAll(/\.\.\.\S+/g)].filter(([each]) => !NAMED_SPREAD.test(each));
/** No linter of ours tells it from `new Date(value)`. */
const NOW = /new Date\(\)/;

let folder: string;
let cruised: string;

/** The output of a linter that refuses. */
async function refused(program: string, args: readonly string[]): Promise<string> {
  const command = run(join(ROOT, "node_modules/.bin", program), args, { cwd: folder });
  return command.then(
    () => "",
    (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)),
  );
}

async function plant(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), `${text}\n`);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "architecture-"));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const name of [".dependency-cruiser.cjs", ".oxlintrc.json"]) await cp(join(ROOT, name), join(folder, name));
  for (const [, path, text] of PLANTED) await plant(join(SOC, path), text);
  cruised = await refused("depcruise", ["--config", ".dependency-cruiser.cjs", SOC, "apps/player/src"]);
}, 60_000);

afterAll(() => rm(folder, { recursive: true }));

it.each(PLANTED.filter(([rule]) => rule !== ""))("refuses a violation of %s in %s", (rule, path) => {
  const place = rule === "folder-cycles" ? dirname(path) : path;
  expect(cruised).toContain(`error ${rule}: ${join(SOC, place)}`);
});

it.each(LINTED)(
  "refuses a violation of %s by %s",
  async (rule, text) => {
    await plant(`${SOC}/identity/me/planted.ts`, text);
    expect(await refused("oxlint", [`${SOC}/identity/me/planted.ts`])).toContain(rule);
  },
  60_000,
);

it("allows no spread of a part in the wiring", async () => {
  expect(findSpreads("createAlerts(base, { ...cases, changes });")).toHaveLength(1);
  for (const name of ["wire.ts", "wire-identity.ts"]) {
    expect(findSpreads(await readFile(join(ROOT, SOC, "boot", name), "utf8"))).toEqual([]);
  }
});

it("allows no reading of the time without a clock in the services", async () => {
  expect("new Date()").toMatch(NOW);
  for (const app of ["apps/player/src", SOC]) {
    const paths = (await readdir(join(ROOT, app), { recursive: true })).filter((path) => /(?<!test)\.ts$/.test(path));
    const reading = paths.filter((path) => !/\.i?test\.ts$/.test(path));
    for (const path of reading) expect(await readFile(join(ROOT, app, path), "utf8"), path).not.toMatch(NOW);
  }
});

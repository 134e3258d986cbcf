import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyDiff, type PageBlock, readBlocks } from "./packages/testing/src/page-blocks.ts";

// Builds the feature of CONTRIBUTING.md, "Add a feature to the SOC", in a copy of the service, from the page alone.

const ROOT = import.meta.dirname;
const COPIED = ["apps/soc/src", "apps/soc/testing", "apps/soc/playbooks", "apps/soc/package.json"];
const FEATURE = "apps/soc/src/cases/notes/";
const MODULE = "apps/soc/src/cases/module.ts";
const PLATFORM = "apps/soc/src/boot/wire.ts";

/** The unchanged sources are checked by `npm run types`; of these the new declarations could break any. */
const CHECKED = [PLATFORM, "apps/soc/src/boot/serve.ts", "apps/soc/src/demo/showcase.ts"];

/** What the test uses of apps/soc/testing/harness/whole-platform.ts. */
interface World {
  ADMIN_PASSWORD: string;
  openedPlatform(): Promise<{ platform: { registrations: { readers?: Record<string, string[]> }[] } }>;
  wholePlatform(mode: "dummy"): Promise<{
    app: {
      inject(request: object): Promise<{ statusCode: number; json(): Record<string, unknown> }>;
    };
    close: () => Promise<void>;
  }>;
}

/** All files of the copy with their texts, by path. */
async function readTexts(copy: string): Promise<Map<string, string>> {
  const entries = await readdir(copy, { recursive: true, withFileTypes: true });
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const files = paths.filter((path) => !path.includes("/node_modules/"));
  return new Map(
    await Promise.all(files.map(async (path) => [path.slice(copy.length + 1), await readFile(path, "utf8")] as const)),
  );
}

async function plant(copy: string, { language, path, text }: PageBlock): Promise<void> {
  const target = join(copy, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, language === "diff" ? applyDiff(await readFile(target, "utf8"), text) : text);
}

/** Writes what the compiler reads; awaited before anything imports the copy, or an import could read a file half written. */
async function prepareCompiling(copy: string, after: ReadonlyMap<string, string>): Promise<void> {
  const checked = new Set([...CHECKED, ...blocks.map(({ path }) => path)]);
  const files = [...after.keys()].filter((path) => /^apps\/soc\/src\/(?!main).*(?<!test)\.ts$/.test(path));
  for (const path of files.filter((each) => !checked.has(each))) {
    await writeFile(join(copy, path), `// @ts-nocheck\n${after.get(path) ?? ""}`);
  }
  const compilerOptions = { composite: false, declaration: false, sourceMap: false, noEmit: true };
  await writeFile(
    join(copy, "tsconfig.json"),
    JSON.stringify({ extends: "./tsconfig.base.json", compilerOptions, files }),
  );
}

/** The errors that the compiler finds, one a line. */
async function compile(copy: string): Promise<string> {
  const tsc = run(join(ROOT, "node_modules/.bin/tsc"), ["--pretty", "false"], { cwd: copy });
  return tsc.then(
    ({ stdout }) => stdout,
    // A rejection of execFile carries what the command printed.
    (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)),
  );
}

const run = promisify(execFile);
const blocks = readBlocks(await readFile(join(ROOT, "CONTRIBUTING.md"), "utf8"), "Add a feature to the SOC");
let copy: string;
let before: Map<string, string>;
let after: Map<string, string>;
let compiled: Promise<string>;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "walkthrough-"));
  await Promise.all(COPIED.map((path) => cp(join(ROOT, path), join(copy, path), { recursive: true })));
  for (const name of ["tsconfig.base.json", "biome.json"]) await cp(join(ROOT, name), join(copy, name));
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  before = await readTexts(copy);
  for (const block of blocks) await plant(copy, block);
  after = await readTexts(copy);
  await prepareCompiling(copy, after);
  compiled = compile(copy);
}, 60_000);

afterAll(async () => {
  await compiled;
  await rm(copy, { recursive: true });
}, 60_000);

it("touches the folder of the feature, its migration, its module and the wiring", () => {
  const touched = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  const others = touched.filter((path) => !path.startsWith(FEATURE));
  expect(others.toSorted()).toEqual([PLATFORM, MODULE, "apps/soc/src/migrations/0200-notes.sql"]);
  expect(touched.toSorted()).toEqual(blocks.map(({ path }) => path).toSorted());
});

it("uses a number for its migration that is above all others", () => {
  const numbers = [...before.keys()].map((path) => Number(/migrations\/(\d{4})-/.exec(path)?.[1] ?? 0));
  expect(Math.max(...numbers)).toBeLessThan(200);
});

it("is formatted and linted as the repository is", async () => {
  const paths = blocks.map(({ path }) => path).filter((path) => path.endsWith(".ts"));
  await run(join(ROOT, "node_modules/.bin/biome"), ["ci", "--colors=off", "--vcs-enabled=false", ...paths], {
    cwd: copy,
  });
});

it("serves its routes, sends its events to its readers and offers its action to playbooks", async () => {
  const world: World = await import(join(copy, "apps/soc/testing/harness/whole-platform.ts"));
  const { platform } = await world.openedPlatform();
  expect(platform.registrations.flatMap(({ readers = {} }) => readers.note ?? [])).toEqual(["cases:read"]);

  const { app, close } = await world.wholePlatform("dummy");
  const payload = { username: "admin", password: world.ADMIN_PASSWORD };
  const signedIn = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  const headers = { authorization: `Bearer ${String(signedIn.json().access_token)}` };
  const ask = async (request: object) => {
    const answered = await app.inject({ ...request, headers });
    return [answered.statusCode, answered.json()];
  };

  expect(await ask({ url: "/api/v1/notes?limit=1" })).toMatchObject([200, { items: [{ author: "layla" }], limit: 1 }]);
  expect(await ask({ method: "POST", url: "/api/v1/notes", payload: { body: "handover" } })).toEqual([
    403,
    { detail: "Runtime mode 'dummy' blocks this change" },
  ]);
  const steps = [{ id: "write", action: "note.add", params: { body: "Isolated {alert.host}" } }];
  const playbook = { id: "take-a-note", name: "Take a note", steps };
  expect(await ask({ method: "POST", url: "/api/v1/soar/playbooks/validate", payload: playbook })).toMatchObject([
    200,
    { valid: true, problems: [] },
  ]);
  await close();
}, 120_000);

it("compiles", async () => {
  expect(await compiled).toBe("");
}, 120_000);

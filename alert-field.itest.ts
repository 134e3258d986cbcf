import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as Changes from "./apps/soc/src/alerts/alerts/alert-changes.ts";
import type * as Alerts from "./apps/soc/src/alerts/module.ts";
import type * as Cases from "./apps/soc/src/cases/cases/cases.feature.ts";
import type * as Query from "./apps/soc/src/logs/query/alert-query.ts";
import type * as NoLedger from "./apps/soc/testing/fixtures/no-ledger.ts";
import type * as Harness from "./apps/soc/testing/harness/feature-app.ts";
import { applyDiff, type PageBlock, readBlocks } from "./packages/testing/src/page-blocks.ts";

// Follows CONTRIBUTING.md, "Add an alert field", in a copy of the service and the console.

const ROOT = import.meta.dirname;
const COPIED = [
  ...["apps/soc/src", "apps/soc/testing", "apps/soc/playbooks", "apps/soc/package.json", "apps/soc/CHANGELOG.md"],
  ...["apps/soc-console/src", "tsconfig.base.json"],
];
const ALERT = "apps/soc/src/alerts/alerts/alert.ts";
const ITEM = "apps/soc-console/src/pages/casework/alerts/alert-item.ts";
/** Written by `npm run openapi`. */
const GENERATED = ["docs/api/soc.openapi.json"];
const MAX_FILES = 10;

/** What the compiler checks besides the changed files: all that stores, undoes, searches or invents alerts. */
const SERVICE = [
  ...["alerts/alerts/alerts.store", "foundation/runtime/require-mode", "demo/alerts"],
  ...["alerts/bulk-changes/bulk-change", "alerts/bulk-changes/bulk-changes.store"],
];
const PROGRAMS = {
  service: {
    files: [ALERT, ...SERVICE.map((name) => `apps/soc/src/${name}.ts`)],
    compilerOptions: {},
  },
  console: {
    files: [ITEM, "apps/soc-console/src/pages/casework/alerts/details/alert-parts.tsx"],
    compilerOptions: {
      ...{
        module: "esnext",
        moduleResolution: "bundler",
        lib: ["es2023", "dom", "dom.iterable"],
        types: ["vite/client"],
      },
      ...{ jsx: "react-jsx", rewriteRelativeImportExtensions: false, allowImportingTsExtensions: true },
      paths: { "@soc/service/contract/*": ["./apps/soc/src/*.schema.ts"] },
    },
  },
} as const;

type Program = keyof typeof PROGRAMS;

const run = promisify(execFile);
let copy: string;
let blocks: PageBlock[];

const readCopied = (path: string) => readFile(join(copy, path), "utf8");

async function plant({ language, path, text }: PageBlock): Promise<void> {
  const target = join(copy, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, language === "diff" ? applyDiff(await readCopied(path), text) : text);
}

/** The errors that the compiler finds, one a line. */
async function compile(program: Program): Promise<string> {
  const { files, compilerOptions } = PROGRAMS[program];
  const config = join(copy, `tsconfig.${program}.json`);
  const options = { composite: false, declaration: false, sourceMap: false, noEmit: true, ...compilerOptions };
  await writeFile(config, JSON.stringify({ extends: "./tsconfig.base.json", compilerOptions: options, files }));
  const tsc = run(join(ROOT, "node_modules/.bin/tsc"), ["--pretty", "false", "-p", config], { cwd: copy });
  return tsc.then(
    ({ stdout }) => stdout,
    // A rejection of execFile carries what the command printed.
    (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)),
  );
}

/** Compiles without one line of the recipe. */
async function compileWithout(program: Program, path: string, line: string): Promise<string> {
  const whole = await readCopied(path);
  expect(whole.split(line)).toHaveLength(2);
  await writeFile(join(copy, path), whole.replace(line, ""));
  const errors = await compile(program);
  await writeFile(join(copy, path), whole);
  return errors;
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "alert-field-"));
  await Promise.all(COPIED.map((path) => cp(join(ROOT, path), join(copy, path), { recursive: true })));
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  blocks = readBlocks(await readFile(join(ROOT, "CONTRIBUTING.md"), "utf8"), "Add an alert field");
  for (const block of blocks) await plant(block);
});

afterAll(() => rm(copy, { recursive: true }));

it(`touches at most ${MAX_FILES} files`, () => {
  const touched = new Set([...blocks.map(({ path }) => path), ...GENERATED]);
  expect(touched.size).toBeGreaterThan(GENERATED.length);
  expect(touched.size).toBeLessThanOrEqual(MAX_FILES);
});

describe("the compiler", () => {
  it("accepts the whole recipe", async () => {
    expect(await compile("service")).toBe("");
    expect(await compile("console")).toBe("");
  });

  it("refuses a field that bulk change does not store", async () => {
    const errors = await compileWithout("service", ALERT, '  priority_note: "text",\n');
    expect(errors).toContain(`${ALERT}(`);
    expect(errors).toContain("Property 'priority_note' is missing");
  });

  it("refuses a field that the console does not compare with the change of another person", async () => {
    const errors = await compileWithout("console", ITEM, "  priority_note: true,\n");
    expect(errors).toContain(`${ITEM}(`);
    expect(errors).toContain("Property 'priority_note' is missing");
  });
});

it("is stored, changed in bulk and restored by the undo", async () => {
  const load = <Module>(path: string): Promise<Module> => import(join(copy, "apps/soc", path));
  const { testPlatform, featureApp } = await load<typeof Harness>("testing/harness/feature-app.ts");
  const { NO_LEDGER } = await load<typeof NoLedger>("testing/fixtures/no-ledger.ts");
  const { createCases } = await load<typeof Cases>("src/cases/cases/cases.feature.ts");
  const { createAlerts } = await load<typeof Alerts>("src/alerts/module.ts");
  const { createAlertChanges } = await load<typeof Changes>("src/alerts/alerts/alert-changes.ts");
  const { compileAlertQuery } = await load<typeof Query>("src/logs/query/alert-query.ts");
  const platform = await testPlatform("real");
  const changes = createAlertChanges(platform);
  const cases = createCases(platform, { alerts: changes, ledger: NO_LEDGER });
  const { registrations } = createAlerts(platform, { ...cases.services, changes, compileQuery: compileAlertQuery });
  const app = await featureApp(platform, ...registrations.routes);
  const post = async (path: string, payload: object) => {
    const answered = await app.inject({ method: "POST", url: `/api/v1${path}`, payload });
    expect([path, answered.statusCode < 300, answered.json().detail]).toEqual([path, true, undefined]);
    return answered.json();
  };
  const read = async (id: string) => (await app.inject({ url: `/api/v1/alerts/${id}` })).json().priority_note;
  // The migration of the recipe runs with the first connection.
  const isReady = async () => (await app.inject({ url: "/api/v1/alerts" })).statusCode;
  await expect.poll(isReady, { timeout: 60_000 }).toBe(200);

  const { id, priority_note } = await post("/alerts", { title: "Beacon", source: "edr" });
  expect(priority_note).toBeNull();
  const { change_id } = await post("/alerts/bulk", { ids: [id], priority_note: "host of the board" });
  expect(await read(id)).toBe("host of the board");
  await post("/alerts/undo", { change_id });
  expect(await read(id)).toBeNull();
  await platform.close();
});

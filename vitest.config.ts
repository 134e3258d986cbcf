import { existsSync, statfsSync } from "node:fs";
import { playwright } from "@vitest/browser-playwright";
import { defaultClientConditions } from "vite";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONG_FILES } from "./tools/src/prove/long-files.ts";
import { ROTATED } from "./tools/src/prove/rotation.ts";

// The workspace is tested from its sources: the "source" condition of each package's exports.
const conditions = ["source", "node"];
const shared = { resolve: { conditions }, ssr: { resolve: { conditions } } };
const exclude = ["**/node_modules/**", "**/dist/**"];
// What they measure would be the other test's doing.
const ALONE = [
  "e2e/player/dashboard/first-load.e2e.ts",
  "e2e/player/package/package-start.e2e.ts",
  "e2e/player/ready-and-memory.e2e.ts",
  "e2e/player/sockets.e2e.ts",
  "e2e/soc/console/speed.e2e.ts",
  "e2e/soc/console/tabs.e2e.ts",
];
// They replace a module, which files that share their modules could not.
const REPLACING = "**/*-without-scope.itest.ts";
const isFull = process.env.PROVE === "full";
// The command line's `--exclude` does not reach the projects.
const without = process.env.PROVE_WITHOUT ? [process.env.PROVE_WITHOUT] : [];
// A build runs a slice of them as a suite of its own: `.ci/run`. What they measure of their process must be its own.
const isAlone = isFull || process.env.TEST_SLICE !== undefined;
const rotated = isAlone ? without : Object.keys(ROTATED);
// They measure, on a machine that does nothing else: `npm run bench -- <name>`.
const BENCHES = "apps/soc/testing/bench/*.itest.ts";
const ON_POSTGRES = {
  globalSetup: ["apps/soc/testing/servers/postgres.setup.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};
const LONG = { testTimeout: 900_000, hookTimeout: 60_000 };
// The client of MCP and the SDK of models bring packages that publish a "source", which only Vite can read.
const INLINED = ["@modelcontextprotocol/client", "eventsource", "eventsource-parser", "ai", /@ai-sdk\//];
// Debian's, as in packages/testing/src/browser.ts.
const CHROMIUM = { executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] };
// What was transformed for one run serves the next. A build has a cache of its own.
const CACHE = process.env.TEST_MODULE_CACHE;
const cached = { experimental: { fsModuleCache: true, ...(CACHE && { fsModuleCachePath: CACHE }) } };
// What a test polls for may take a while on a busy machine; how long it may take for a user is asserted by its own figures.
const PATIENT = { expect: { poll: { timeout: 10_000 } } };

/** Unit tests open hundreds of small databases: in memory, where it has room, none of them waits for a disk. */
function findMemory(): string | undefined {
  if (!existsSync("/dev/shm")) return undefined;
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > 1024 ** 3 ? "/dev/shm" : undefined;
}
const temporary = process.env.TMPDIR ?? findMemory();

/** The last file of a run would otherwise leave a core idle. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG_FILES.some((file) => moduleId.endsWith(`/${file}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // Vitest would leave one of two cores idle, and tests also wait. CI sets a higher number for tests that mostly wait for
    // servers; the command line's number does not reach the projects.
    maxWorkers: Number(process.env.TEST_WORKERS ?? 3),
    sequence: { sequencer: LongFirst },
    ...cached,
    projects: [
      // Generous, for a machine that has much else to do: a test that is too slow says so by its own figures.
      {
        extends: true,
        ...shared,
        test: {
          name: "unit",
          isolate: false,
          ...(temporary && { env: { TMPDIR: temporary } }),
          include: ["**/*.test.ts"],
          exclude,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          server: { deps: { inline: INLINED } },
          expect: { poll: { interval: 10, timeout: 10_000 } },
        },
      },
      {
        extends: true,
        resolve: { conditions: ["source", ...defaultClientConditions] },
        // What Vite finds only while tests run makes it load the page again.
        optimizeDeps: {
          entries: ["apps/{soc-console,player-dashboard}/src/**/*.test.tsx", "apps/soc-console/src/main.tsx"],
          include: ["react/jsx-dev-runtime", "preact/jsx-dev-runtime", "vitest-browser-react"],
        },
        test: {
          name: "components",
          include: ["apps/*/src/**/*.test.tsx"],
          setupFiles: ["apps/soc-console/testing/clean-page.ts"],
          exclude,
          isolate: false,
          browser: {
            enabled: true,
            provider: playwright({ launchOptions: CHROMIUM }),
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        extends: true,
        ...shared,
        test: {
          name: "integration",
          include: ["**/*.itest.ts"],
          exclude: [...exclude, BENCHES, REPLACING, ...rotated],
          ...ON_POSTGRES,
          // What a file imports takes as long as what it tests: in a build files share their modules.
          isolate: isAlone,
          server: { deps: { inline: INLINED } },
          ...PATIENT,
        },
      },
      {
        extends: true,
        ...shared,
        test: {
          name: "integration-replacing",
          include: [REPLACING],
          exclude: [...exclude, ...rotated],
          ...ON_POSTGRES,
          // One of their tests asks every route as two callers.
          testTimeout: 300_000,
          server: { deps: { inline: INLINED } },
          ...PATIENT,
        },
      },
      {
        extends: true,
        ...shared,
        test: { name: "bench", include: [BENCHES], exclude, ...ON_POSTGRES, ...PATIENT },
      },
      {
        extends: true,
        ...shared,
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.ts"],
          exclude: [...exclude, ...ALONE, ...rotated],
          isolate: isAlone,
          ...LONG,
          ...PATIENT,
        },
      },
      {
        extends: true,
        ...shared,
        test: {
          name: "e2e-alone",
          include: ALONE,
          exclude: [...exclude, ...rotated],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          ...LONG,
          ...PATIENT,
        },
      },
    ],
  },
});

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONG_FILES } from "./tools/src/prove/long-files.ts";
import { ONLY_IN_FULL } from "./tools/src/prove/only-in-full.ts";

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
];
// They replace a module, which files that share their modules could not.
const REPLACING = "**/*-without-scope.itest.ts";
const isFull = process.env.PROVE === "full";
// The command line's `--exclude` does not reach the projects.
const without = process.env.PROVE_WITHOUT ? [process.env.PROVE_WITHOUT] : [];
const leftToProofs = isFull ? without : ONLY_IN_FULL;
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
// A build runs most files more than once, on both versions of Node: what was read for one run serves the next.
const CACHE = process.env.TEST_MODULE_CACHE;
const cached = CACHE ? { experimental: { fsModuleCache: true, fsModuleCachePath: CACHE } } : {};
// What a test polls for may take a while on a busy machine; how long it may take for a user is asserted by its own figures.
const PATIENT = { expect: { poll: { timeout: 10_000 } } };

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
    // Vitest would leave one of two cores idle. CI says how many where tests wait for servers more than they compute; the
    // command line's number does not reach the projects.
    maxWorkers: Number(process.env.TEST_WORKERS ?? 2),
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
          include: ["**/*.test.ts"],
          exclude,
          testTimeout: 30_000,
          server: { deps: { inline: INLINED } },
        },
      },
      {
        extends: true,
        ...shared,
        test: {
          name: "integration",
          include: ["**/*.itest.ts"],
          exclude: [...exclude, BENCHES, REPLACING, ...leftToProofs],
          ...ON_POSTGRES,
          // What a file imports takes as long as what it tests: in a build files share their modules. What a proof measures of its
          // process must be its own.
          isolate: isFull,
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
          exclude: [...exclude, ...leftToProofs],
          ...ON_POSTGRES,
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
          exclude: [...exclude, ...ALONE, ...leftToProofs],
          isolate: isFull,
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
          exclude: [...exclude, ...leftToProofs],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          ...LONG,
          ...PATIENT,
        },
      },
    ],
  },
});

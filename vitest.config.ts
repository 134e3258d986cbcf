import { defineConfig } from "vitest/config";

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
];
// They kill servers, boot devices or walk every page for minutes: `npm run prove -- <name>`. What they prove, a build tests in
// smaller steps.
const isFull = process.env.PROVE === "full";
const ONLY_IN_FULL = isFull
  ? []
  : [
      "apps/player/src/drivers/rauc-updater.itest.ts",
      "apps/soc/src/adapters/clickhouse-agreement.itest.ts",
      "apps/soc/src/adapters/nats-kills.itest.ts",
      "apps/soc/src/composition/database-kills.itest.ts",
      "apps/soc/src/composition/demo.itest.ts",
      "apps/soc/src/composition/worker.itest.ts",
      "apps/soc/src/detection/scheduling/stream-lag.itest.ts",
      "apps/soc/src/detection/scheduling/whole-window.itest.ts",
      "apps/soc/src/logs/intake/intake-stream-kills.itest.ts",
      "apps/soc/src/logs/query/condition-agreement.itest.ts",
      "apps/soc/src/response/executions/executions-database.itest.ts",
      "apps/soc/src/response/executions/executions-kills.itest.ts",
      "e2e/player/dashboard/connection.e2e.ts",
      "e2e/player/dashboard/errors.e2e.ts",
      "e2e/player/dashboard/firmware-journey.e2e.ts",
      "e2e/player/dashboard/hostile-names.e2e.ts",
      "e2e/player/dashboard/journeys.e2e.ts",
      "e2e/player/dashboard/pairing-journey.e2e.ts",
      "e2e/player/dashboard/radio-journey.e2e.ts",
      "e2e/player/dashboard/truth.e2e.ts",
      "e2e/player/day-device.e2e.ts",
      "e2e/player/day.e2e.ts",
      "e2e/player/missing-parts.e2e.ts",
      "e2e/player/package/package-start.e2e.ts",
      "e2e/player/radio.e2e.ts",
      "e2e/player/ready-and-memory.e2e.ts",
      "e2e/player/service-deaths.e2e.ts",
      "e2e/player/sockets.e2e.ts",
      "e2e/player/storage.e2e.ts",
      "e2e/soc/ledger.e2e.ts",
      "e2e/soc/log-deaths.e2e.ts",
      "e2e/soc/service-deaths.e2e.ts",
      "e2e/soc/two-processes.e2e.ts",
    ];
// They measure, on a machine that does nothing else: `npm run bench -- <name>`.
const BENCHES = "apps/soc/testing/bench/*.itest.ts";
const ON_POSTGRES = {
  globalSetup: ["apps/soc/testing/servers/postgres.setup.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};
const LONG = { testTimeout: 900_000, hookTimeout: 60_000 };
// What a test polls for may take a while on a busy machine; how long it may take for a user is asserted by its own figures.
const PATIENT = { expect: { poll: { timeout: 10_000 } } };

export default defineConfig({
  test: {
    // Vitest would leave one of two cores idle. CI says how many where tests wait for servers more than they compute; the
    // command line's number does not reach the projects.
    maxWorkers: Number(process.env.TEST_WORKERS ?? 2),
    projects: [
      // Generous, for a machine that has much else to do: a test that is too slow says so by its own figures.
      {
        extends: true,
        ...shared,
        test: { name: "unit", isolate: false, include: ["**/*.test.ts"], exclude, testTimeout: 30_000 },
      },
      {
        extends: true,
        ...shared,
        test: {
          name: "integration",
          include: ["**/*.itest.ts"],
          exclude: [...exclude, BENCHES, ...ONLY_IN_FULL],
          ...ON_POSTGRES,
          // What a file imports takes as long as what it tests: in a build files share their modules. What a proof measures of its
          // process must be its own.
          isolate: isFull,
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
          exclude: [...exclude, ...ALONE, ...ONLY_IN_FULL],
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
          exclude: [...exclude, ...ONLY_IN_FULL],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          ...LONG,
          ...PATIENT,
        },
      },
    ],
  },
});

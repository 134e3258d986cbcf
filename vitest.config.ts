import { defineConfig } from "vitest/config";

// The workspace is tested from its sources: the "source" condition of each package's exports.
const conditions = ["source", "node"];
const shared = { resolve: { conditions }, ssr: { resolve: { conditions } } };
const exclude = ["**/node_modules/**", "**/dist/**"];

export default defineConfig({
  test: {
    // Vitest would leave one of two cores idle; the tests wait for servers more than they compute.
    maxWorkers: 2,
    projects: [
      // Generous, for a machine that has much else to do: a test that is too slow says so by its own figures.
      { extends: true, ...shared, test: { name: "unit", include: ["**/*.test.ts"], exclude, testTimeout: 30_000 } },
      {
        extends: true,
        ...shared,
        test: {
          name: "integration",
          include: ["**/*.itest.ts"],
          exclude,
          globalSetup: ["apps/soc/testing/postgres.setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        ...shared,
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.ts"],
          exclude,
          testTimeout: 900_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});

/** Test files that install a Debian or wait for minutes; a run starts with them. */
export const LONG_FILES: readonly string[] = [
  "apps/soc/src/alerts/alerts/casework-sites.itest.ts",
  "apps/soc/src/foundation/runtime/modes-matrix.itest.ts",
  "apps/soc/src/identity/auth/sites-matrix.itest.ts",
  "e2e/player/package/guide.e2e.ts",
  "e2e/player/package/package-life.e2e.ts",
  "e2e/soc/backup.e2e.ts",
  "e2e/soc/console/pages.e2e.ts",
  "e2e/soc/console/payloads.e2e.ts",
  "e2e/soc/package/package-life.e2e.ts",
  "e2e/soc/soc-dev.e2e.ts",
  "walkthrough.itest.ts",
];

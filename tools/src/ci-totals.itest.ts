import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const TOTALS = join(import.meta.dirname, "../../.ci/totals.mjs");
const report = (passed: number, failed: number, skipped = 0) =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped });

function runTotals(files: Record<string, string>): { lastLine: string | undefined; status: number | null } {
  const folder = mkdtempSync(join(tmpdir(), "totals-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const { stdout, status } = spawnSync(process.execPath, [TOTALS, folder], { encoding: "utf8" });
  return { lastLine: stdout.trim().split("\n").at(-1), status };
}

it.each([
  [
    "all passed",
    { suites: "a\nb\n", "a.json": report(3, 0), "b.json": report(4, 0, 1) },
    "7 passed, 0 failed, 1 skipped",
    0,
  ],
  ["a test failed", { suites: "a\n", "failed-suites": "a\n", "a.json": report(3, 2) }, "3 passed, 2 failed", 1],
  [
    "a suite ran nothing",
    { suites: "a\nb\n", "a.json": report(3, 0), "b.json": report(0, 0) },
    "3 passed, 1 failed",
    1,
  ],
  ["a suite left no report", { suites: "a\nb\n", "a.json": report(3, 0) }, "3 passed, 1 failed", 1],
  [
    "a suite crashed after its tests",
    { suites: "a\n", "failed-suites": "a\n", "a.json": report(3, 0) },
    "3 passed, 1 failed",
    1,
  ],
  ["a step failed", { suites: "a\n", "failed-steps": "lint\n", "a.json": report(3, 0) }, "3 passed, 1 failed", 1],
  ["nothing ran at all", {}, "0 passed, 0 failed", 1],
])("prints the totals and exits with the right code when %s", (_case, files, lastLine, status) => {
  expect(runTotals(files)).toEqual({ lastLine, status });
});

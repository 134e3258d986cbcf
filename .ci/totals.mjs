// Adds up what the suites reported. A suite that reported nothing, or ran no test, is a failure of its own.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? "";
const linesOf = (name) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8").trim().split("\n") : [];

let passed = 0;
let failed = 0;
let skipped = 0;
const complain = (words) => {
  console.log(`FAILED: ${words}`);
  failed += 1;
};

for (const step of linesOf("failed-steps")) complain(step);
const failedSuites = linesOf("failed-suites");
for (const suite of linesOf("suites")) {
  const path = join(folder, `${suite}.json`);
  const report = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { numPassedTests: 0, numFailedTests: 0 };
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += report.numPendingTests ?? 0;
  if (report.numPassedTests + report.numFailedTests === 0) complain(`${suite} ran no test`);
  else if (failedSuites.includes(suite) && report.numFailedTests === 0) complain(`${suite} ended with an error`);
}

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

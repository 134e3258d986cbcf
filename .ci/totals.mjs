// Adds up what the suites reported. A suite that reported nothing, or ran no test, is a failure of its own.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? "";
const linesOf = (name) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8").trim().split("\n") : [];

let passed = 0;
let failed = 0;
let skipped = 0;
const readReport = (suite) => {
  const path = join(folder, `${suite}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
};
/** Each failed test, and each failed file without one. */
const listFailed = ({ testResults = [] }) =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => `${name}: ${test.fullName}`);
    return status === "failed" && tests.length === 0 ? [name] : tests;
  });
const complain = (words) => {
  console.log(`FAILED: ${words}`);
  failed += 1;
};

/** What the tables of tools/src/prove record. */
const listLongest = ({ testResults = [] }) =>
  testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: Math.round((endTime - startTime) / 1000) }))
    .filter(({ seconds }) => seconds >= 20)
    .toSorted((a, b) => b.seconds - a.seconds);

for (const step of linesOf("failed-steps")) complain(step);
const failedSuites = linesOf("failed-suites");
for (const suite of linesOf("suites")) {
  const report = readReport(suite) ?? { numPassedTests: 0, numFailedTests: 0 };
  for (const { name, seconds } of listLongest(report)) console.log(`${seconds} s: ${name}`);
  for (const name of listFailed(report)) console.log(`FAILED: ${name}`);
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += report.numPendingTests ?? 0;
  if (report.numPassedTests + report.numFailedTests === 0) complain(`${suite} ran no test`);
  else if (failedSuites.includes(suite) && report.numFailedTests === 0) complain(`${suite} ended with an error`);
}

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

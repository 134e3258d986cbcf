// Prints the files of a suite's report that failed. Prints nothing when there are too many to be an accident.
import { existsSync, readFileSync } from "node:fs";

const MAX_FILES = 5;
const path = process.argv[2] ?? "";
const report = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { testResults: [] };
const failed = report.testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
if (failed.length <= MAX_FILES) console.log(failed.join("\n"));

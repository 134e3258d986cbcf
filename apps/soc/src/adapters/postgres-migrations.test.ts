import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../migrations");
/** Earlier migrations were released before two releases had to run concurrently. */
const FIRST = "0042";

const STOPS_THE_FORMER_RELEASE =
  /\b(DROP\s+(COLUMN|TABLE|VIEW|FUNCTION|TYPE|SCHEMA)|RENAME|SET\s+NOT\s+NULL|ALTER\s+COLUMN\s+\w+\s+TYPE)\b/i;
/** The previous release inserts rows without this column. */
const NEEDS_A_VALUE = /\bADD\s+COLUMN\s+(?![^,;]*\b(DEFAULT|GENERATED)\b)[^,;]*\bNOT\s+NULL\b/i;
const CONTRACT = /^-- Contract: unused since /m;

/** Finds the problems of a migration while the previous release still runs on tables with millions of rows. */
function findFaults(text: string): string[] {
  const own = new Set([...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table));
  const statements = text.split(/;\n/).map((statement) => statement.replaceAll(/^--.*\n?/gm, "").trim());
  const faults: string[] = [];
  for (const statement of statements) {
    const isBreaking = STOPS_THE_FORMER_RELEASE.test(statement) || NEEDS_A_VALUE.test(statement);
    if (isBreaking && !CONTRACT.test(text)) faults.push("breaks the former release");
    if (!/^(CREATE|DROP)\s+(UNIQUE\s+)?INDEX/i.test(statement)) continue;
    const table = /\bON\s+(\w+)/.exec(statement)?.[1] ?? "";
    const isConcurrent = /^\w+\s+(UNIQUE\s+)?INDEX\s+CONCURRENTLY\b/i.test(statement);
    if (!isConcurrent && !own.has(table)) faults.push("locks a table while an index is built");
    if (isConcurrent && !text.startsWith("-- Up Migration, outside a transaction\n"))
      faults.push("is in a transaction");
  }
  return faults;
}

it("lets the previous release keep working, and locks no large table for long", () => {
  const files = readdirSync(FOLDER).filter((file) => file >= FIRST);
  expect(files.length).toBeGreaterThan(0);
  const faults = files.map((file) => [file, findFaults(readFileSync(join(FOLDER, file), "utf8"))]);
  expect(faults.filter(([, found]) => found?.length !== 0)).toEqual([]);
});

it.each([
  ["-- Up Migration\nALTER TABLE a DROP COLUMN b;\n", ["breaks the former release"]],
  ["-- Up Migration\nALTER TABLE a RENAME TO b;\n", ["breaks the former release"]],
  ["-- Up Migration\nALTER TABLE a ALTER COLUMN b TYPE text;\n", ["breaks the former release"]],
  ["-- Up Migration\nALTER TABLE a ADD COLUMN b text NOT NULL;\n", ["breaks the former release"]],
  ["-- Up Migration\nALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT '';\n", []],
  ["-- Up Migration\nDROP VIEW a;\n", ["breaks the former release"]],
  ["-- Up Migration\n-- Contract: unused since 0.3.0.\nALTER TABLE a DROP COLUMN b;\n", []],
  ["-- Up Migration\nCREATE INDEX i ON a (b);\n", ["locks a table while an index is built"]],
  ["-- Up Migration\nDROP INDEX i;\n", ["locks a table while an index is built"]],
  ["-- Up Migration\nCREATE TABLE a (b int);\nCREATE INDEX i ON a (b);\n", []],
  ["-- Up Migration\nCREATE INDEX CONCURRENTLY i ON a (b);\n", ["is in a transaction"]],
  ["-- Up Migration, outside a transaction\nCREATE UNIQUE INDEX CONCURRENTLY i ON a (b);\n", []],
])("finds the problems of %j", (text, faults) => expect(findFaults(text)).toEqual(faults));

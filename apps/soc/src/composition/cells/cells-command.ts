import { createClock } from "@kit/clock";
import { type Given, readText, type Terminal } from "@kit/config/commands";
import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { KnownCell } from "../../casework/cells/cell.ts";
import { LogBody } from "../../logs/search/logs.schema.ts";
import { createMoveSite } from "../../logs/site-moves/move-site.ts";
import { readCellList, requireCellsFile } from "../files/cell-files.ts";
import { askCells, type FoundLogs, type LogsPage, mergeLogPages } from "./ask-cells.ts";
import { pushToRing } from "./ring-rules.ts";
import type { SendToCell } from "./send-to-cell.ts";

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const REQUEST_MS = 30_000;

const Page = Type.Object({
  items: Type.Array(LogBody),
  total: Type.Integer(),
  total_is_estimate: Type.Optional(Type.Boolean()),
  missing_stores: Type.Optional(Type.Array(Type.String())),
});

type Values = Given["values"];

export interface CellsCommandDeps {
  environment: Record<string, string | undefined>;
  terminal: Terminal;
}

/** Returns the exit code. 0: done; 1: a cell is missing, or a difference or refused rule. */
export async function runCells(
  verb: "search" | "count" | "rules" | "move",
  { positionals: [subject = ""], values }: Given,
  { environment, terminal }: CellsCommandDeps,
): Promise<0 | 1> {
  const cells = await readCellList(requireCellsFile(environment));
  if (verb === "rules") return pushRules(cells, subject, values, terminal);
  if (verb === "move") return moveSite(cells, subject, values, terminal);
  const found = await search(cells, subject, values);
  return verb === "search" ? printLogs(found, terminal) : printCounts(found, terminal);
}

async function search(cells: readonly KnownCell[], query: string, values: Values): Promise<FoundLogs> {
  const [from, to, limit] = ["from", "to", "limit"].map((name) => readText({ values }, name));
  const most = readNumber("--limit", limit ?? String(DEFAULT_LIMIT), MAX_LIMIT);
  const asked = new URLSearchParams({ query, limit: String(most), ...(from && { from }), ...(to && { to }) });
  const answers = await askCells(cells, async (cell): Promise<LogsPage> => {
    const { status, text } = await sendToCell(cell, "GET", `/siem/logs?${asked}`);
    if (status !== 200) throw new Problem("unavailable", `it answered ${status}: ${text.slice(0, 200)}`);
    const page: unknown = JSON.parse(text);
    if (!Value.Check(Page, page)) throw new Problem("unavailable", "its answer is not a page of logs");
    return page;
  });
  if (answers.answers.length === 0) {
    throw new Problem(
      "unavailable",
      `no cell answered: ${answers.missing.map(({ cell, why }) => `${cell}: ${why}`).join("; ")}`,
    );
  }
  return mergeLogPages(answers, most);
}

function printLogs({ logs, missing, ...found }: FoundLogs, { write, writeError }: Terminal): 0 | 1 {
  for (const log of logs) write(`${JSON.stringify(log)}\n`);
  writeError(`${logs.length} of ${formatTotal(found)} logs\n`);
  return reportMissing(missing, writeError);
}

function printCounts({ counts, missing, ...found }: FoundLogs, { write, writeError }: Terminal): 0 | 1 {
  for (const { cell, value } of counts) write(`${cell}\t${value}\n`);
  write(`all\t${formatTotal(found)}\n`);
  return reportMissing(missing, writeError);
}

function formatTotal({ total, isEstimate }: Pick<FoundLogs, "total" | "isEstimate">): string {
  return isEstimate ? `${total} or more` : String(total);
}

function reportMissing(missing: readonly string[], writeError: Terminal["writeError"]): 0 | 1 {
  for (const each of missing) writeError(`MISSING ${each}\n`);
  return missing.length > 0 ? 1 : 0;
}

async function pushRules(
  cells: readonly KnownCell[],
  folder: string,
  values: Values,
  { write }: Terminal,
): Promise<0 | 1> {
  const ring = readNumber("--ring", readText({ values }, "ring"), Number.MAX_SAFE_INTEGER);
  const options = { isDryRun: values["dry-run"] === true, isPruning: values.prune === true };
  return pushToRing(
    { cells, folder, ring, send: sendToCell, clock: createClock(), print: (line) => write(`${line}\n`) },
    options,
  );
}

async function moveSite(cells: readonly KnownCell[], site: string, values: Values, { write }: Terminal): Promise<0> {
  const to = readText({ values }, "to");
  if (to === undefined) throw new Problem("invalid", "--to: is required");
  const print = (line: string) => write(`${line}\n`);
  const { move, cancel } = createMoveSite({ cells, send: sendToCell, clock: createClock(), print });
  await (values.cancel === true ? cancel(site, to) : move(site, to));
  return 0;
}

function readNumber(name: string, text: string | undefined, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new Problem("invalid", `${name}: must be a number from 1 to ${most}`);
}

const sendToCell: SendToCell = async ({ name, url, apiKey }, method, path, body) => {
  try {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { "x-api-key": apiKey ?? "", ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      // The credentials are for this cell only.
      redirect: "error",
      signal: createClock().deadline(REQUEST_MS),
    });
    const retryAfterSeconds = Number(answer.headers.get("retry-after") ?? 0);
    return { status: answer.status, retryAfterSeconds, text: await answer.text() };
  } catch (cause) {
    throw new Problem("unavailable", `cell '${name}' at ${url} does not answer`, { cause });
  }
};

import { parseArgs } from "node:util";
import { createClock } from "@kit/clock";
import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { KnownCell } from "../../casework/cells/cell.ts";
import { LogBody } from "../../logs/search/logs.schema.ts";
import { createMoveSite } from "../../logs/site-moves/move-site.ts";
import { readCellList, requireCellsFile } from "../files/cell-files.ts";
import type { Terminal } from "../verify-command.ts";
import { askCells, type FoundLogs, type LogsPage, mergeLogPages } from "./ask-cells.ts";
import { pushToRing } from "./ring-rules.ts";
import type { SendToCell } from "./send-to-cell.ts";

const USAGE = `manara-soc cells search|count <query> [--from TIME] [--to TIME] [--limit N]
manara-soc cells rules <folder> --ring N [--dry-run] [--prune]
manara-soc cells move <site> --to <cell> [--cancel]
search prints the newest logs of all cells, count how many each cell has, rules makes the cells of a ring like the folder,
move gives a site with its logs, alerts and cases to another cell; run again, it goes on where it was cut off.
SOC_CELLS_FILE lists the cells; api_key_file of each cell holds your own key there.`;

const MAX_LIMIT = 200;
const REQUEST_MS = 30_000;

const Page = Type.Object({
  items: Type.Array(LogBody),
  total: Type.Integer(),
  total_is_estimate: Type.Optional(Type.Boolean()),
  missing_stores: Type.Optional(Type.Array(Type.String())),
});

const OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  limit: { type: "string", default: "50" },
  ring: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  prune: { type: "boolean", default: false },
  cancel: { type: "boolean", default: false },
} as const;
const VERBS: readonly (string | undefined)[] = ["search", "count", "rules", "move"];

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

/** Returns the exit code. 0: done; 1: a cell is missing, or a difference or refused rule; 2: it could not be done. */
export async function runCells(
  given: string[],
  environment: Record<string, string | undefined>,
  terminal: Terminal,
): Promise<0 | 1 | 2> {
  try {
    const { values, positionals } = parseArgs({ args: given, allowPositionals: true, options: OPTIONS });
    const [, verb, subject, ...more] = positionals;
    if (subject === undefined || more.length > 0 || !VERBS.includes(verb)) {
      terminal.writeError(`${USAGE}\n`);
      return 2;
    }
    const cells = await readCellList(requireCellsFile(environment));
    if (verb === "rules") return await pushRules(cells, subject, values, terminal);
    if (verb === "move") return await moveSite(cells, subject, values, terminal);
    const found = await search(cells, subject, values);
    return verb === "search" ? printLogs(found, terminal) : printCounts(found, terminal);
  } catch (error) {
    terminal.writeError(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function search(cells: readonly KnownCell[], query: string, { from, to, limit }: Values): Promise<FoundLogs> {
  const most = readNumber("--limit", limit, MAX_LIMIT);
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
  const ring = readNumber("--ring", values.ring, Number.MAX_SAFE_INTEGER);
  const options = { isDryRun: values["dry-run"], isPruning: values.prune };
  return pushToRing(
    { cells, folder, ring, send: sendToCell, clock: createClock(), print: (line) => write(`${line}\n`) },
    options,
  );
}

async function moveSite(
  cells: readonly KnownCell[],
  site: string,
  { to, cancel }: Values,
  { write }: Terminal,
): Promise<0> {
  if (to === undefined) throw new Problem("invalid", "--to: is required");
  const print = (line: string) => write(`${line}\n`);
  const { move, cancel: takeBack } = createMoveSite({ cells, send: sendToCell, clock: createClock(), print });
  await (cancel ? takeBack(site, to) : move(site, to));
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

import { readFileSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { createClock } from "@kit/clock";
import { toTemplate } from "@kit/http/openapi";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Answer, type CallersPlatform, startCallersPlatform } from "../../../testing/harness/callers-platform.ts";
import { type Column, CURIOUS, createColumns } from "../../../testing/matrices/callers-columns.ts";
import { type Row, readCallersTable, type Verdict } from "../../../testing/matrices/callers-table.ts";

interface Cell {
  row: Row;
  column: Column;
}

const ROOT = new URL("../../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const table = readCallersTable(JSON.parse(read("docs/api/soc.openapi.json")), read("docs/api/soc.md"));

/** A well-formed id that no record has. */
const NOTHING = "0197f000-0000-7000-8000-00000000dead";
const CONCURRENCY = 4;
/** A normal build calls every route as one of 16 callers, and every caller on one of 16 routes. */
const EVERY = process.env.PROVE === "full" ? 1 : 16;
const LOGOUTS = ["POST /api/v1/auth/logout", "POST /api/v1/auth/oidc/logout", "DELETE /api/v1/me/sessions"];
const isLogout = ({ row }: Cell) => LOGOUTS.includes(`${row.method} ${row.path}`);

const clock = createClock();
let platform: CallersPlatform;
let columns: Column[];

beforeAll(async () => {
  platform = await startCallersPlatform();
  columns = await createColumns(platform, table);
});

afterAll(() => platform.close());

/** Sends the request and returns the deviations of the response. */
async function tryCell({ row, column }: Cell, headers: OutgoingHttpHeaders): Promise<string[]> {
  const expected = table.decideVerdict(row, column.standing);
  const answer = await platform.ask(row.method, row.path.replaceAll(/\{\w+\}/g, NOTHING), headers);
  if (isAsExpected(answer, expected, row)) return [];
  // According to the API document this route answers 503 to every caller outside dummy mode.
  if (expected === "past the gate" && answer.status === 503 && row.path === "/api/v1/soar/rules/{id}/toggle") return [];
  return [`${row.method} ${row.path} × ${column.name}: expected ${expected} got ${answer.status}`];
}

function isAsExpected({ status, body }: Answer, expected: Verdict, { method, path }: Cell["row"]): boolean {
  if (expected === "past the gate") return ![401, 403, 429].includes(status) && status < 500;
  return status === expected && (method === "HEAD" ? body === "" : isRefusal(body, status === 404 ? "" : path));
}

/** Routes that imitate other products refuse in the format of those products; a path without a route does not. */
function isRefusal(body: string, path: string): boolean {
  const fields: [string, unknown][] = Object.entries(JSON.parse(body));
  const names = fields.map(([name]) => name).join();
  if (path.startsWith("/services/collector")) return names === "text,code";
  if (path.endsWith("/_bulk")) return names === "error,status";
  if (path.startsWith("/scim/v2")) return names === "schemas,status,detail";
  return fields.length === 1 && fields.every(([name, value]) => name === "detail" && typeof value === "string");
}

it("serves exactly the routes of the table", () => {
  const registered = platform.app.registeredRoutes.map(
    ({ method, path, config }) => `${method} ${toTemplate(path)} ${[config.needs].flat().join(" ")}`,
  );
  expect(registered.toSorted()).toEqual(table.served);
  expect(table.roles).toHaveLength(9);
  expect(columns.filter(({ name }) => name.startsWith("forged: ")).length).toBeGreaterThanOrEqual(20);
});

it("answers every caller on every route as the table specifies", { timeout: 240_000 }, async () => {
  const all = table.rows.flatMap((row) =>
    columns.filter(({ name }) => row.isDocumented || CURIOUS.includes(name)).map((column) => ({ row, column })),
  );
  expect(all.length).toBeGreaterThan(3000);
  const cells = all.filter(({ row, column }) => (table.rows.indexOf(row) + columns.indexOf(column)) % EVERY === 0);
  const start = clock.monotonicMs();
  const wrong: string[] = [];
  const headersByColumn = new Map<Column, OutgoingHttpHeaders>();
  for (const column of columns) headersByColumn.set(column, await column.comeIn());
  const waiting = cells.filter((cell) => !isLogout(cell)).values();
  const work = async () => {
    for (const cell of waiting) wrong.push(...(await tryCell(cell, headersByColumn.get(cell.column) ?? {})));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  // A logout also invalidates the caller's credentials in other columns, so these requests come last and sign in again.
  for (const cell of cells.filter(isLogout)) wrong.push(...(await tryCell(cell, await cell.column.comeIn())));

  const seconds = (clock.monotonicMs() - start) / 1000;
  console.info(`${cells.length} cells of ${columns.length} callers in ${seconds.toFixed(1)} s`);
  expect(wrong).toEqual([]);
});

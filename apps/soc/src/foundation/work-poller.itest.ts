import { createFakeClock } from "@kit/clock/fake";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import type { Tables } from "./database/tables.ts";
import { createWorkPoller } from "./work-poller.ts";

const LOOK_MS = 200;
const AFTER_FAILURE_MS = 1000;
const SOME = sql`SELECT 1`;
const NONE = sql`SELECT 1 WHERE false`;
const BROKEN = sql`SELECT 1 FROM no_such_table`;

function start() {
  const clock = createFakeClock();
  const statements: string[] = [];
  const pool = new pg.Pool({ connectionString: `${inject("postgresUrl")}/postgres`, max: 1 });
  const dialect = new PostgresDialect({ pool });
  const db = new Kysely<Tables>({ dialect, log: ({ query }) => void statements.push(query.sql) });
  onTestFinished(() => db.destroy());
  const warnings: string[] = [];
  const log = { warn: (_about: object, message: string) => void warnings.push(message) };
  return { clock, statements, warnings, dueWork: createWorkPoller({ db, clock, log }) };
}

it("polls for all loops in one statement, and returns each loop its own result", async () => {
  const { clock, statements, dueWork } = start();
  const answers = Promise.all(
    [SOME, NONE, sql`SELECT ${"a"} WHERE ${1} = 1`, NONE, SOME].map((rows) => dueWork.watch(rows)()),
  );
  await clock.advance(0);
  expect(await answers).toEqual([true, false, true, false, true]);
  expect(statements).toHaveLength(1);
});

it("polls at once after a pause, and not again within 200 ms", async () => {
  const { clock, statements, dueWork } = start();
  const hasWork = dueWork.watch(SOME);
  const first = hasWork();
  await clock.advance(0);
  await first;
  const second = hasWork();
  await clock.advance(LOOK_MS - 1);
  expect(statements).toHaveLength(1);
  await clock.advance(1);
  expect(await second).toBe(true);
  expect(statements).toHaveLength(2);
});

it("logs a failed poll once, reports no work, and polls again after a second", async () => {
  const { clock, statements, warnings, dueWork } = start();
  const answers = Promise.all([dueWork.watch(SOME)(), dueWork.watch(BROKEN)()]);
  await clock.advance(0);
  expect(await answers).toEqual([false, false]);
  expect(warnings).toEqual(["polling for due work failed"]);
  const next = dueWork.watch(SOME)();
  await clock.advance(AFTER_FAILURE_MS - 1);
  expect(statements).toHaveLength(1);
  await clock.advance(1);
  expect(await next).toBe(true);
  expect(warnings).toHaveLength(1);
});

import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { featureApp, testPlatform } from "../../../testing/harness/feature-app.ts";
import type { Consumer } from "../../foundation/events/event-stream.ts";
import { pageInMemory } from "../../foundation/lists/order.ts";
import { consumeAlerts, createParkedEventsRetry } from "./automations.worker.ts";
import { parkedEventsRoutes } from "./parked-events.routes.ts";
import type { ParkedEventBody } from "./parked-events.schema.ts";
import { createParkedEventsService } from "./parked-events.service.ts";
import { createParkedEventsStore, NEWEST_PARKED_FIRST } from "./parked-events.store.ts";

const ALERT = "0197f000-0000-7000-8000-0000000000a1";
const EVENT = { id: "7-1", at: "2026-03-14T09:26:53.589Z", type: "alert.created", subject_id: ALERT, data: { a: 1 } };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Starts the worker with a stream that the test delivers, and automations that fail on demand. */
async function start() {
  const platform = await testPlatform("real");
  closing.push(() => platform.close());
  const { db, runtime, audit, ids, changes } = platform;
  const clock = createFakeClock();
  const parked = createParkedEventsService({
    db,
    runtime,
    stores: {
      database: createParkedEventsStore(db),
      showcase: { list: async (query) => pageInMemory<ParkedEventBody>([], NEWEST_PARKED_FIRST, query) },
    },
    audit,
    clock,
    ids,
    log: silentLog,
  });
  const state = { isFailing: true, considered: [] as string[] };
  let consumer: Consumer | undefined;
  const outbox = {
    consume(given: Consumer) {
      consumer = given;
      return { close: async () => undefined };
    },
  };
  const firings = {
    async consider(id: string) {
      if (state.isFailing) throw new Problem("unavailable", "the database took too long");
      state.considered.push(id);
    },
    begin: async () => undefined,
  };
  consumeAlerts({ outbox, firings, parked });
  const retry = createParkedEventsRetry({ firings, parked, runtime, clock, log: silentLog });
  closing.push(() => retry.close());
  await retry.start();
  const app = await featureApp(platform, parkedEventsRoutes(parked, changes));
  const call = (method: "GET" | "POST", path = "", role = "admin") =>
    app.inject({ method, url: `/api/v1/soar/automations/parked-events${path}`, headers: { "x-role": role } });
  const deliver = async (attempt: number) =>
    consumer?.handle({ id: "outbox 1 to 2", events: [EVENT], attempt, hasGap: false });
  const list = async (): Promise<ParkedEventBody[]> => (await call("GET")).json().items;
  return { db, clock, state, call, deliver, list };
}

it("parks an event after its attempts, reports it and does not block later events", async () => {
  const { db, deliver, list } = await start();
  await expect(deliver(9)).rejects.toThrow("took too long");
  expect(await list()).toEqual([]);
  await deliver(10);
  // The stream delivers the batch again after a crash.
  await deliver(11);
  expect(await list()).toMatchObject([
    { type: "alert.created", subject_id: ALERT, error: "the database took too long", retries: 0 },
  ]);
  const { rows } = await sql<{ type: string }>`SELECT type FROM outbox`.execute(db);
  expect(rows).toEqual([{ type: "automation.event_parked" }]);
});

it("retries a parked event automatically until it is handled", async () => {
  const { clock, state, deliver, list } = await start();
  await deliver(10);
  await expect.poll(() => clock.advance(61_000).then(list), { timeout: 10_000 }).toMatchObject([{ retries: 1 }]);
  state.isFailing = false;
  await expect.poll(() => clock.advance(60_000).then(list), { timeout: 10_000 }).toEqual([]);
  expect(state.considered).toEqual([ALERT]);
});

it("retries a parked event immediately at the request of a manager", async () => {
  const { clock, state, call, deliver, list } = await start();
  await deliver(10);
  state.isFailing = false;
  const [event] = await list();
  expect((await call("POST", `/${event?.id}/retry`, "tier3")).statusCode).toBe(403);
  expect((await call("POST", `/${ALERT}/retry`, "manager")).statusCode).toBe(404);
  expect((await call("POST", `/${event?.id}/retry`, "manager")).statusCode).toBe(200);
  await expect.poll(() => clock.advance(2000).then(list), { timeout: 10_000 }).toEqual([]);
  expect(state.considered).toEqual([ALERT]);
});

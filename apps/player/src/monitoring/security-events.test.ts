import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../storage/database.ts";
import type { Identity } from "./enrolment.ts";
import type { RecordedRequest } from "./platform-exchange.ts";
import { createSecurityEventsService } from "./security-events.service.ts";
import { createSecurityEventsStore } from "./security-events.store.ts";
import { createTroubles } from "./troubles.ts";

const IDENTITY: Identity = {
  key: "",
  enrolment: {
    ...{ address: "soc:1", device_id: "d", authority: "", certificate: "", broker: null, key_name: "k" },
    ...{ issued_at: 0, not_after: 9_999_999_999, attested_at: null, is_refused: false },
  },
};

function setUp(answer: (body: string) => number | Error) {
  const folder = mkdtempSync(join(tmpdir(), "events-"));
  const clock = createFakeClock();
  const { database } = openDatabase(folder, clock);
  database.command("PRAGMA synchronous = OFF")();
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  const enrolled: { identity: Identity | undefined } = { identity: IDENTITY };
  const bodies: string[] = [];
  const troubles = createTroubles();
  let refusals = 0;
  const service = createSecurityEventsService({
    store: createSecurityEventsStore(database),
    enrolments: { current: () => enrolled.identity?.enrolment, identity: () => enrolled.identity },
    exchange: {
      send: async ({ body }: RecordedRequest) => {
        bodies.push(body);
        const given = answer(body);
        if (given instanceof Error) throw given;
        return { status: given, text: "{}" };
      },
    },
    nowS: () => Math.floor(clock.now().getTime() / 1000),
    ...{ clock, ids: createFakeIds(), log: silentLog, troubles },
    onRefused: () => {
      refusals += 1;
    },
  });
  const sent = () => bodies.map((body) => JSON.parse(body).events);
  return { service, clock, sent, troubles, enrolled, database, refusals: () => refusals };
}

it("counts the wrong tokens of a minute in one event", async () => {
  const { service, clock, sent } = setUp(() => 202);
  for (let count = 0; count < 5000; count += 1) service.countWrongToken();
  await clock.advance(59_000);
  expect(sent()).toEqual([]);
  await clock.advance(1000);
  expect(sent()).toMatchObject([[{ type: "wrong_token", at: "2026-01-01T00:01:00.000Z", details: { count: "5000" } }]]);
  await clock.advance(600_000);
  expect(sent()).toHaveLength(1);
  service.countWrongToken();
  await clock.advance(60_000);
  expect(sent()[1]).toMatchObject([{ details: { count: "1", seconds: "60" } }]);
});

it("keeps and sends nothing without an enrolment", async () => {
  const { service, clock, sent, enrolled } = setUp(() => 202);
  enrolled.identity = undefined;
  service.countWrongToken();
  service.add("reset", {});
  await clock.advance(120_000);
  expect([sent(), service.waiting()]).toEqual([[], 0]);
});

it("sends in order, at most 100 in one request", async () => {
  const { service, clock, sent } = setUp(() => 202);
  for (let count = 0; count < 250; count += 1) service.add("boot_failure", { count: `${count}` });
  await clock.advance(1000);
  expect(sent().map((events: object[]) => events.length)).toEqual([100, 100, 50]);
  const listed = sent().flatMap((events: { details: { count: string } }[]) =>
    events.map(({ details }) => details.count),
  );
  expect(listed).toEqual(Array.from({ length: 250 }, (_each, index) => `${index}`));
  expect(service.waiting()).toBe(0);
});

it("tries again later and later while the platform is unreachable, with the same events", async () => {
  const failing = { is: true };
  const { service, clock, sent, troubles } = setUp(() =>
    failing.is ? new Problem("unavailable", "address: the server cannot be reached") : 202,
  );
  service.add("reset", { kind: "factory" });
  await clock.advance(60_000);
  const early = sent().length;
  expect(early).toBeGreaterThan(2);
  expect(troubles.last()).toBe("address: the server cannot be reached");
  await clock.advance(24 * 3_600_000);
  expect(sent().length - early).toBeLessThan(60);
  failing.is = false;
  await clock.advance(3_600_000);
  expect([service.waiting(), troubles.last()]).toEqual([0, null]);
  expect(new Set(sent().map((events: object[]) => JSON.stringify(events))).size).toBe(1);
});

it("drops the one event that the platform does not accept, and counts it", async () => {
  const { service, clock, sent } = setUp((body) => (body.includes("poison") ? 400 : 202));
  for (const name of ["one", "poison", "two"]) service.add("boot_failure", { name });
  await clock.advance(600_000);
  expect([service.waiting(), service.dropped()]).toEqual([0, 1]);
  expect(sent().map((events: object[]) => events.length)).toEqual([3, 1, 2, 1, 1]);
});

it("stops when it is refused, and keeps the events", async () => {
  const { service, clock, sent, refusals } = setUp(() => 403);
  service.add("reset", {});
  await clock.advance(24 * 3_600_000);
  expect([sent().length, refusals(), service.waiting()]).toEqual([1, 1, 1]);
});

it("reports a storage that refuses an event, and keeps what was counted at the end", async () => {
  const { service, clock, troubles, database } = setUp(() => 202);
  database.command("PRAGMA query_only = ON")();
  service.add("reset", {});
  expect(troubles.last()).toBe("storage: the device's storage is read-only");
  database.command("PRAGMA query_only = OFF")();
  service.countWrongToken();
  service.close();
  expect(service.waiting()).toBe(1);
  await clock.advance(60_000);
  expect(service.waiting()).toBe(1);
});

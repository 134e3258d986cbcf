import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { text } from "node:stream/consumers";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { count, isFull } from "../counts.ts";
import { readProcessorMs } from "../processes.ts";
import { type StartedSoc, startSoc } from "./client.ts";
import { startDatabase, type TestDatabase } from "./database.ts";
import { type EventListener, openListener } from "./event-listener.ts";

const LISTENERS = count({ ci: 300, full: 10_000 });
const SECONDS = count({ ci: 5, full: 240 });
const EVENTS_PER_SECOND = 20;
/** Further listeners in a process of their own, which say how long an event takes. */
const MEASURED = 100;
const PROBE = new URL("./listener-probe.mjs", import.meta.url).pathname;
const OPENING_BATCH_SIZE = 200;
const MAX_CORES = 0.5;
const MAX_P95_MS = 1000;
const clock = createClock();

/** Each is who may receive: all, alerts of all sites, or alerts of one site. */
const AUDIENCES = [
  { name: "admin", role: "admin", site: undefined, share: 0.3 },
  { name: "tier1", role: "tier1", site: undefined, share: 0.3 },
  { name: "alpha", role: "tier1", site: "Alpha", share: 0.2 },
  { name: "beta", role: "tier1", site: "Beta", share: 0.2 },
] as const;
type AudienceName = (typeof AUDIENCES)[number]["name"];

let database: TestDatabase;
let soc: StartedSoc;
const alerts: Record<string, string> = {};

beforeAll(async () => {
  database = await startDatabase();
  soc = await startSoc(database.url);
  for (const { name, role, site } of AUDIENCES) {
    const sites = site === undefined ? undefined : await createSite(site);
    await addUsers(name, role, sites);
  }
  for (const site of ["Alpha", "Beta", undefined]) {
    const { body } = await soc.client.post("/alerts", {
      title: `Alert of ${site}`,
      source: "test",
      ...(site && { site }),
    });
    alerts[site ?? "none"] = body.id;
  }
}, 180_000);
afterAll(async () => {
  await soc.service.stop();
  await database.remove();
});

async function createSite(name: string): Promise<string> {
  const { status, body } = await soc.client.post("/sites", { name, profile: { asset_classes: ["it"] } });
  expect(status, JSON.stringify(body)).toBe(201);
  return JSON.stringify([{ id: body.id, name }]);
}

/** Users with a session each. They never sign in: the hash of a password takes longer than the rest of the test. */
async function addUsers(name: string, role: string, sites: string | undefined): Promise<void> {
  const given = sites === undefined ? "NULL" : `'${sites}'`;
  await database.ask(`
    INSERT INTO users (username, role, password_hash, sites)
    SELECT '${name}-' || n, '${role}', 'none', ${given} FROM generate_series(1, ${LISTENERS + MEASURED}) AS n`);
  await database.ask(`
    INSERT INTO sessions (id_hash, username, token_version, created_at, last_used_at)
    SELECT encode(sha256(convert_to('session-' || username, 'UTF8')), 'hex'), username, token_version, now(), now()
    FROM users WHERE username LIKE '${name}-%'`);
}

/** Opens some at a time, so that the service answers other requests meanwhile. */
async function openAll() {
  const listeners: { audience: AudienceName; listener: EventListener }[] = [];
  const { port } = soc.service;
  for (const { name, share } of AUDIENCES) {
    const wanted = Math.round(LISTENERS * share);
    for (let n = 1; n <= wanted; n += 1) {
      const listener = openListener({ port, cookie: formatCookie(name, n), query: "?types=alert,user" });
      listeners.push({ audience: name, listener });
      if (n % OPENING_BATCH_SIZE === 0)
        await Promise.all(listeners.slice(-OPENING_BATCH_SIZE).map((each) => each.listener.opened));
    }
  }
  await Promise.all(listeners.map((each) => each.listener.opened));
  return listeners;
}

const formatCookie = (name: string, n: number) => `__Host-soc_session=session-${name}-${n}`;

/** Opens the listeners that measure. The result reads their figures, in milliseconds from commit to arrival. */
async function openProbe(): Promise<() => Promise<number[]>> {
  const cookies = AUDIENCES.flatMap(({ name, share }) =>
    Array.from({ length: MEASURED * share }, (_, n) => formatCookie(name, LISTENERS + 1 + n)),
  );
  const probe = spawn(process.execPath, [PROBE, String(soc.service.port), ...cookies], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void probe.kill("SIGKILL"));
  await once(probe.stdout, "data");
  return async () => {
    probe.stdin.end();
    return JSON.parse(await text(probe.stdout)).toSorted((a: number, b: number) => a - b);
  };
}

/** Creates events inside the database at a steady rate, each in its own transaction. */
function makeEvents(seconds: number): Promise<string[]> {
  const subjects = `ARRAY['${alerts.Alpha}', '${alerts.Beta}', '${alerts.none}', 'layla']`;
  return database.ask(`
    DO $$
    DECLARE began timestamptz := clock_timestamp();
    BEGIN
      FOR n IN 1..${seconds * EVENTS_PER_SECOND} LOOP
        INSERT INTO outbox (at, type, actor, subject_type, subject_id, data)
        VALUES (clock_timestamp(), CASE n % 4 WHEN 3 THEN 'user.updated' ELSE 'alert.updated' END, 'noor',
          CASE n % 4 WHEN 3 THEN 'user' ELSE 'alert' END, (${subjects})[n % 4 + 1],
          jsonb_build_object('status', 'triaged', 'previous_status', 'new', 'severity', 'high', 'n', n));
        COMMIT;
        PERFORM pg_sleep(greatest(0, n / ${EVENTS_PER_SECOND}.0 - extract(epoch FROM clock_timestamp() - began)));
      END LOOP;
    END $$`);
}

/** The places of the events that each audience may receive. */
async function readExpected(): Promise<Record<AudienceName, number[]>> {
  const rows = await database.ask(
    "SELECT place || ' ' || type || ' ' || subject_id FROM outbox WHERE type ~ '^(alert|user)[.]' ORDER BY place",
  );
  const events = rows.map((row) => {
    const [place = "", type = "", subject = ""] = row.split(" ");
    return { place: Number(place), isAlert: type.startsWith("alert."), subject };
  });
  const pick = (isSeen: (event: (typeof events)[number]) => boolean) => events.filter(isSeen).map(({ place }) => place);
  return {
    admin: pick(() => true),
    tier1: pick(({ isAlert }) => isAlert),
    alpha: pick(({ isAlert, subject }) => isAlert && subject === alerts.Alpha),
    beta: pick(({ isAlert, subject }) => isAlert && subject === alerts.Beta),
  };
}

/** Describes what a listener lacks or received twice; undefined if nothing. */
function findFault({ state }: EventListener, places: readonly number[]): string | undefined {
  const expected = places.filter((place) => place > state.from);
  const sum = expected.reduce((all, place) => all + place, 0);
  const isRight = state.count === expected.length && state.sum === sum && state.disorder === 0;
  // One that was refused while the machine is busy has connected again and missed nothing.
  if (isRight && state.resets === 0) return undefined;
  return `${JSON.stringify(state)} instead of ${expected.length} events, sum ${sum}`;
}

const isComplete = (listener: EventListener, places: readonly number[]) => listener.state.last >= (places.at(-1) ?? 0);

it(`sends ${EVENTS_PER_SECOND} events a second to ${LISTENERS} listeners of four audiences`, async () => {
  const listeners = await openAll();
  const readWaitsMs = await openProbe();
  const [startMs, beforeMs, ownBefore] = [
    clock.monotonicMs(),
    await readProcessorMs(soc.service.pid),
    process.cpuUsage(),
  ];
  await makeEvents(SECONDS);
  const own = process.cpuUsage(ownBefore);
  const ownCores = (own.user + own.system) / 1000 / (clock.monotonicMs() - startMs);
  const cores = ((await readProcessorMs(soc.service.pid)) - beforeMs) / (clock.monotonicMs() - startMs);
  const expected = await readExpected();
  const isEachComplete = () => listeners.every(({ audience, listener }) => isComplete(listener, expected[audience]));
  await expect.poll(isEachComplete, { timeout: 30_000 }).toBe(true);
  const faults = listeners.flatMap(({ audience, listener }) => findFault(listener, expected[audience]) ?? []);
  for (const { listener } of listeners) listener.close();
  const connections = listeners.reduce((all, { listener }) => all + listener.state.connections, 0);
  const waitsMs = await readWaitsMs();
  const [p50 = 0, p95 = 0, max = 0] = [0.5, 0.95, 1].map((share) => waitsMs[Math.ceil(waitsMs.length * share) - 1]);
  process.stdout.write(
    `listeners: ${LISTENERS}, ${SECONDS} s of ${EVENTS_PER_SECOND} events/s, ${connections} connections, ` +
      `service ${cores.toFixed(2)} and listeners ${ownCores.toFixed(2)} of a core, delivery p50 ${p50} ms, p95 ${p95} ms, most ${max} ms, ` +
      `${faults.length} with a fault\n`,
  );
  expect(faults.slice(0, 5)).toEqual([]);
  expect(waitsMs.length).toBeGreaterThan(SECONDS * EVENTS_PER_SECOND);
  expect(expected.alpha.length).toBeGreaterThanOrEqual((SECONDS * EVENTS_PER_SECOND) / 4);
  if (!isFull) return;
  expect(cores).toBeLessThan(MAX_CORES);
  expect(p95).toBeLessThan(MAX_P95_MS);
});

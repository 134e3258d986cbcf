import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Identity, startIdentity } from "../../../testing/harness/identity.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { intakeRoutes } from "./intake.routes.ts";
import { otherIntakesRoutes } from "./other-intakes.routes.ts";

const LIMIT = 8;
let processes: Identity[];
const keys: string[] = [];

beforeAll(async () => {
  const { url } = await freshDatabase();
  processes = await Promise.all([1, 2].map(() => startIdentity({ url, intakeLimitPerMinute: LIMIT })));
  for (const [place, { app, db }] of processes.entries()) {
    const logStore = { insert: async () => undefined, count: async () => 0 };
    const { intake, bodies } = createIntake({ db, logStore, name: `box-${place}`, limits: { groupMs: 1 } });
    await app.register(intakeRoutes(intake, bodies), { prefix: "/api/v1" });
    await app.register(otherIntakesRoutes(intake, bodies, createClock()));
  }
  const [first] = processes;
  if (!first) throw new Error("no process");
  await first.addUser("admin");
  const headers = await first.bearer("admin");
  for (const name of ["edge-1", "edge-2"]) {
    const payload = { name, scopes: ["siem:ingest"] };
    keys.push((await first.app.inject({ method: "POST", url: "/api/v1/api-keys", headers, payload })).json().key);
  }
});

afterAll(() => Promise.all(processes.map((each) => each.close())));

const WAYS = [
  { url: "/api/v1/siem/ingest", payload: "{}" },
  { url: "/_bulk", payload: '{"index":{}}\n{"message":"x"}\n' },
  { url: "/services/collector/event", payload: '{"event":"x"}' },
];

it("limits a caller per minute across all protocols and processes, and sends Retry-After", async () => {
  const [one = "", other = ""] = keys;
  const sent = await Promise.all(
    Array.from({ length: 3 * LIMIT }, (_, n) => {
      const { url = "", payload = "" } = WAYS[n % WAYS.length] ?? {};
      return processes[n % 2]?.app.inject({ method: "POST", url, payload, headers: { "x-api-key": one } });
    }),
  );
  const refused = sent.filter((answer) => answer?.statusCode === 429);
  expect(sent.filter((answer) => (answer?.statusCode ?? 500) < 300)).toHaveLength(LIMIT);
  expect(refused).toHaveLength(2 * LIMIT);
  // Each endpoint has its own error format.
  expect(refused[0]?.body).toContain("more than 8 requests a minute; see Retry-After");
  expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers["retry-after"])).toBeLessThanOrEqual(60);
  const byOther = await processes[0]?.app.inject({
    method: "POST",
    url: "/api/v1/siem/ingest",
    payload: "{}",
    headers: { "x-api-key": other },
  });
  expect(byOther?.statusCode).toBe(202);
});

const send = (place: number, key: string) =>
  processes[place]?.app.inject({
    method: "POST",
    url: "/api/v1/siem/ingest",
    payload: "{}",
    headers: { "x-api-key": key },
  });

async function createKey(name: string) {
  const [first] = processes;
  const headers = await first?.bearer("admin");
  const payload = { name, scopes: ["siem:ingest"] };
  const created = await first?.app.inject({
    method: "POST",
    url: "/api/v1/api-keys",
    ...(headers && { headers }),
    payload,
  });
  const revoke = (place: number) =>
    processes[place]?.app.inject({
      method: "DELETE",
      url: `/api/v1/api-keys/${created?.json().id}`,
      ...(headers && { headers }),
    });
  return { key: String(created?.json().key), revoke };
}

it("refuses a revoked key at once in the revoking process, and everywhere within five seconds", async () => {
  const { key, revoke } = await createKey("edge-3");
  expect((await send(0, key))?.statusCode).toBe(202);
  expect((await send(1, key))?.statusCode).toBe(202);
  const clock = createClock();
  const revokedMs = clock.monotonicMs();
  expect((await revoke(0))?.statusCode).toBe(200);
  expect((await send(0, key))?.statusCode).toBe(401);
  await expect.poll(async () => (await send(1, key))?.statusCode, { timeout: 10_000, interval: 200 }).toBe(401);
  // The last accepted request came within five seconds; the poll adds its interval, and the machine may be busy.
  expect(clock.monotonicMs() - revokedMs).toBeLessThan(6500);
});

it("tries 300 unknown keys of an address per minute, and still accepts logs with its known keys", async () => {
  const { key } = await createKey("edge-4");
  expect((await send(0, key))?.statusCode).toBe(202);
  const tried = await Promise.all(Array.from({ length: 320 }, (_, n) => send(0, `soc_${n}`)));
  const statuses = tried.map((answer) => answer?.statusCode);
  // Other tests of this file may have used some of the 300.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(300);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
  expect((await send(0, key))?.statusCode).toBe(202);
});

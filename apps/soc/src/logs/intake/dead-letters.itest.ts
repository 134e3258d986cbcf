import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Identity, startIdentity } from "../../../testing/harness/identity.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { deadLettersRoutes } from "./dead-letters.routes.ts";
import { intakeRoutes } from "./intake.routes.ts";
import type { DeadLetter } from "./pipeline/dead-letter.ts";
import { createDeadLettersStore } from "./pipeline/dead-letters.store.ts";

let identity: Identity;
let made: ReturnType<typeof createIntake>;
const stored: LogEvent[] = [];
const keys: Record<string, string> = {};

beforeAll(async () => {
  identity = await startIdentity({ url: (await freshDatabase()).url, generalLimitPerMinute: 1000 });
  const logStore = { insert: async (batch: readonly LogEvent[]) => void stored.push(...batch), count: async () => 0 };
  made = createIntake({ db: identity.db, logStore, limits: { groupMs: 1 } });
  await identity.app.register(intakeRoutes(made.intake, made.bodies), { prefix: "/api/v1" });
  await identity.app.register(deadLettersRoutes(made.deadLetters), { prefix: "/api/v1" });
  await identity.addUser("admin");
  await identity.addUser("noor", "tier1");
  const headers = await identity.bearer("admin");
  for (const [name, scopes] of [
    ["shipper", ["siem:ingest"]],
    ["reader", ["siem:ingest", "siem:read"]],
  ] as const) {
    const payload = { name, scopes };
    const created = await identity.app.inject({ method: "POST", url: "/api/v1/api-keys", headers, payload });
    keys[name] = created.json().key;
  }
});
afterAll(async () => {
  await made.intake.close();
  await made.worker.close();
  await identity.close();
});

const byKey = (name: string) => ({ "x-api-key": keys[name] ?? "" });

async function sendBroken(name: string, raw: string): Promise<string> {
  const answer = await identity.app.inject({
    method: "POST",
    url: "/api/v1/siem/ingest?source=broken",
    headers: byKey(name),
    payload: raw,
  });
  const [id = ""] = answer.json().dead_letter_ids;
  return id;
}
const ask = (path: string, headers: Record<string, string>) =>
  identity.app.inject({ url: `/api/v1/siem/dead-letters${path}`, headers });
const replay = (id: string, headers: Record<string, string>, payload: object = {}) =>
  identity.app.inject({ method: "POST", url: `/api/v1/siem/dead-letters/${id}/replay`, headers, payload });

it("shows an API key only its own dead letters, and only with siem:read", async () => {
  const [foreign, own] = [await sendBroken("shipper", "{secret of the shipper"), await sendBroken("reader", "{own")];
  expect((await ask("", byKey("shipper"))).statusCode).toBe(403);
  expect((await ask(`/${foreign}`, byKey("shipper"))).statusCode).toBe(403);
  const listed = (await ask("", byKey("reader"))).json();
  expect(listed).toMatchObject({ items: [{ id: own, sender: "key:reader" }], total: 1 });
  expect((await ask(`/${own}`, byKey("reader"))).statusCode).toBe(200);
  expect((await ask(`/${foreign}`, byKey("reader"))).statusCode).toBe(404);
  const all = (await ask("", await identity.bearer("noor"))).json();
  expect(all.items.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([foreign, own]));
});

it("lets people with siem:ingest replay a dead letter, but no API key", async () => {
  const id = await sendBroken("reader", "{again");
  expect((await replay(id, byKey("reader"), { raw: "{}" })).statusCode).toBe(403);
  expect((await replay(id, await identity.bearer("noor"), { raw: "{}" })).statusCode).toBe(403);
  expect((await ask(`/${id}`, byKey("reader"))).statusCode).toBe(200);
});

it("stores a changed text under the name of the person who changed it, and records the replay", async () => {
  const id = await sendBroken("shipper", "{changed");
  const admin = await identity.bearer("admin");
  const answer = await replay(id, admin, { raw: '{"message":"forged","id":"e1"}' });
  expect([answer.statusCode, answer.json()]).toEqual([202, { accepted: 1, rejected: 0, dead_letter_ids: [] }]);
  expect((await ask(`/${id}`, admin)).statusCode).toBe(404);
  const { rows } = await sql<{ actor: string; details: object }>`
    SELECT actor, details FROM audit_log WHERE action = 'dead_letter.replayed' AND subject_id = ${id}`.execute(
    identity.db,
  );
  const details = { sender: "admin", original_sender: "key:shipper", source: "broken", is_changed: true };
  expect(rows).toEqual([{ actor: "admin", details }]);
  // The shipper's own event with the same id is a different event, so the forged one cannot replace it.
  stored.length = 0;
  await identity.app.inject({
    method: "POST",
    url: "/api/v1/siem/ingest",
    headers: byKey("shipper"),
    payload: '{"message":"forged","id":"e1"}',
  });
  expect(stored).toHaveLength(1);
});

it("keeps the newest dead letters within limits of number and size, and deletes the others in a few statements", async () => {
  await sql`DELETE FROM dead_letters`.execute(identity.db);
  const store = createDeadLettersStore(identity.db);
  const letters = Array.from(
    { length: 3000 },
    (_, n): DeadLetter => ({
      id: `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`,
      at: new Date(Date.UTC(2026, 10, 15) + n),
      format: "json",
      sender: "key:flood",
      site: "",
      sites: null,
      source: "flood",
      reason: "event: must be valid JSON",
      raw: Buffer.alloc(1000, "x"),
      is_cut: false,
    }),
  );
  await store.insert(identity.db, letters);
  const sweepAll = async (bounds: { count: number; bytes: number }) => {
    let steps = 0;
    while ((await store.sweep(bounds, 500)) > 0) steps += 1;
    const { rows } = await sql<{ id: string }>`SELECT id FROM dead_letters ORDER BY at, id`.execute(identity.db);
    return { steps, ids: rows.map(({ id }) => id) };
  };
  const newest = (count: number) => letters.slice(-count).map(({ id }) => id);
  expect(await sweepAll({ count: 2000, bytes: 10_000_000 })).toEqual({ steps: 2, ids: newest(2000) });
  expect(await sweepAll({ count: 2000, bytes: 700_000 })).toEqual({ steps: 3, ids: newest(700) });
  expect(await sweepAll({ count: 2000, bytes: 700_000 })).toEqual({ steps: 0, ids: newest(700) });
});

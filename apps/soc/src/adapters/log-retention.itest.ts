import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleLog, startLogStore } from "../../testing/servers/log-engine.ts";
import { ALL_SITES } from "../foundation/caller/caller.ts";
import { openLogStore } from "./log-store.ts";

const DAY_MS = 24 * 60 * 60_000;
const EXPIRED = { timeout: 20_000, interval: 250 };
let logs: Awaited<ReturnType<typeof startLogStore>>;

beforeAll(async () => {
  logs = await startLogStore({ retentionDays: 3650 });
});

afterAll(() => logs.stop());

async function storeAged(days: number): Promise<void> {
  const at = new Date(Date.now() - days * DAY_MS).toISOString();
  const log = sampleLog({ id: `aged-${days}`, source: "aged", ingested_at: at, timestamp: at });
  await logs.store.insert([log], { token: log.id });
}

async function agesLeft(): Promise<string[]> {
  const found = await logs.store.search({
    scope: ALL_SITES,
    where: { sql: "source = 'aged'", parameters: {} },
    time: "ingested_at",
    from: new Date(0),
    to: new Date("2100-01-01T00:00:00Z"),
    order: "oldest",
    limit: 10,
  });
  return found.map(({ id }) => id);
}

/** Behaves like a process that starts with another setting. */
async function restartWith(days: number): Promise<void> {
  const store = openLogStore({
    addresses: [logs.engine.address()],
    retentionDays: days,
    recent: { folder: "/nowhere", log: silentLog },
    clock: createClock(),
  });
  await store.migrate();
  await store.close();
}

it("keeps logs for the number of days configured at the last start", { timeout: 60_000 }, async () => {
  for (const days of [400, 40, 4]) await storeAged(days);
  expect(await agesLeft()).toEqual(["aged-400", "aged-40", "aged-4"]);
  await restartWith(90);
  await expect.poll(agesLeft, EXPIRED).toEqual(["aged-40", "aged-4"]);
  await restartWith(30);
  await expect.poll(agesLeft, EXPIRED).toEqual(["aged-4"]);
  await restartWith(3650);
  await storeAged(50);
  await restartWith(3650);
  expect(await agesLeft()).toEqual(["aged-50", "aged-4"]);
});

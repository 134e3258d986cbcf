import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { type StartedLogStores, startLogStores } from "../../../testing/servers/log-stores.ts";

let url: string;
let owner: pg.Client;
let shared: StartedLogStores;
let foreign: StartedLogStores;

beforeAll(async () => {
  ({ url } = await freshDatabase());
  owner = new pg.Client(url);
  await owner.connect();
  [shared, foreign] = [await startLogStores(2), await startLogStores(1)];
}, 60_000);

afterAll(async () => {
  await owner.end();
  await shared.stop();
  await foreign.stop();
});

async function startHost(logStore: StartedLogStores["store"]) {
  const onRefused = vi.fn<(refusal: Error) => void>();
  const host = await wholePlatform("real", url, undefined, logStore, { onRefused });
  return { ...host, onRefused };
}

async function countKnown(): Promise<number> {
  return (await owner.query("SELECT FROM log_stores")).rows.length;
}

it("refuses a host that lacks a log store of the database, and accepts one with an additional store", async () => {
  const [first] = shared.engines;
  if (!first) throw new Error("there is no log store");
  const one = await startHost(first.store);
  await expect.poll(countKnown, { timeout: 30_000 }).toBe(1);
  await one.close();
  const [{ identity }] = (await owner.query("SELECT identity FROM log_stores")).rows;

  const lost = await startHost(foreign.store);
  await expect.poll(() => lost.onRefused.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(lost.onRefused.mock.calls[0]?.[0].message).toBe(
    `SOC_LOG_STORE: does not name the log store ${identity} that this database knows; ` +
      "after replacing a log store see docs/operations/hosts.md",
  );
  await lost.close();
  expect(await countKnown()).toBe(1);

  const both = await startHost(shared.store);
  await expect.poll(countKnown, { timeout: 30_000 }).toBe(2);
  expect([one, both].map(({ onRefused }) => onRefused.mock.calls)).toEqual([[], []]);
  await both.close();
}, 120_000);

it("accepts a new log store after the owner removed the replaced one", async () => {
  await owner.query("DELETE FROM log_stores");
  const host = await startHost(foreign.store);
  await expect.poll(countKnown, { timeout: 30_000 }).toBe(1);
  expect(host.onRefused).not.toHaveBeenCalled();
  await host.close();
}, 60_000);

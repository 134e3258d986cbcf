import { createClock } from "@kit/clock";
import { freePort } from "@kit/testing/process";
import { expect, it } from "vitest";
import { isRunning } from "../processes.ts";
import { createOldClickhouse } from "./clickhouse-server.ts";
import { startDatabaseForTest } from "./database.ts";
import { signInAt, startHost } from "./hosts.ts";

const clock = createClock();
const REFUSED_MS = 30_000;
const UNREACHABLE_MS = 3000;
// The version that docs/operations/README.md names, and the one that Debian 12 has.
const WORDS = "SOC_LOG_STORE: ClickHouse 18.16.1 is too old; 26.2 or newer is required";

it("waits for an unreachable ClickHouse and exits with the versions and the variable when it is too old", async () => {
  const { url: databaseUrl } = await startDatabaseForTest();
  const old = await createOldClickhouse();
  const host = await startHost({ role: "all", databaseUrl, env: { SOC_LOG_STORE: old.url } });
  const client = await signInAt(host);
  await clock.sleep(UNREACHABLE_MS);
  expect((await client.get("/alerts")).status).toBe(200);
  await old.start();
  await expect.poll(() => isRunning(host.pid), { timeout: REFUSED_MS }).toBe(false);
  expect(await host.stop()).toBe(1);
  expect(host.output().split("\n")).toContain(WORDS);
});

it("checks each of several log stores and names an old one while another one is unreachable", async () => {
  const { url: databaseUrl } = await startDatabaseForTest();
  const old = await createOldClickhouse();
  const unreachable = `http://127.0.0.1:${await freePort()}/default`;
  const host = await startHost({ role: "worker", databaseUrl, env: { SOC_LOG_STORE: `${unreachable},${old.url}` } });
  await old.start();
  await expect.poll(() => isRunning(host.pid), { timeout: REFUSED_MS }).toBe(false);
  expect(await host.stop()).toBe(1);
  expect(host.output().split("\n")).toContain(`${WORDS} (log store 2 of 2)`);
});

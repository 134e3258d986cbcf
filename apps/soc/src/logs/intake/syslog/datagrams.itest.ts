import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import process from "node:process";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../../testing/harness/feature-app.ts";
import { createIntake, type IntakeOptions } from "../../../../testing/harness/shippers-intake.ts";
import { startLogStore } from "../../../../testing/servers/log-engine.ts";
import { ALL_SITES } from "../../../foundation/caller/caller.ts";
import { dropsRoutes } from "../drops.routes.ts";
import { createSyslogWorker, type SyslogWorkerDeps } from "./syslog.worker.ts";

const isFull = process.env.PROVE === "full";
const SENDERS = isFull ? 500 : 100;
const PER_SECOND = isFull ? 5000 : 1000;
const SECONDS = isFull ? 300 : 5;
const LEAST_SHARE = 0.999;
/** How long the last message may take to arrive. */
const SETTLE_MS = 15_000;
const MINUTE = 60_000;
const clock = createClock();
let logs: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;

beforeAll(async () => {
  logs = await startLogStore();
  platform = await testPlatform("real");
  await platform.runtime.truth();
});
afterAll(async () => {
  await platform.close();
  await logs.stop();
});

async function startSyslog(name: string, logStore: IntakeOptions["logStore"], limits: SyslogWorkerDeps["limits"] = {}) {
  const made = createIntake({ db: platform.db, logStore, name });
  const parts = { delivery: made.delivery, drops: made.drops, clock, log: silentLog };
  const syslog = createSyslogWorker({ ...parts, host: "127.0.0.1", udpPort: 0, limits });
  const { udpPort = 0 } = await syslog.start();
  return { ...made, syslog, udpPort };
}

/** Linux answers on all of 127.0.0.0/8, so each sender has its own address. */
async function openSenders(count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => createSocket("udp4"));
  for (const [n, socket] of sockets.entries()) {
    socket.bind(0, `127.1.${Math.floor(n / 200)}.${(n % 200) + 1}`);
    await once(socket, "listening");
  }
  return sockets;
}

async function countStored(source: string): Promise<number> {
  const where = { sql: "source = {source:String}", parameters: { source } };
  const all = {
    scope: ALL_SITES,
    where,
    time: "ingested_at" as const,
    from: new Date(0),
    to: new Date("2100-01-01T00:00:00Z"),
  };
  return logs.store.count(all, 10_000_000);
}

it(`stores the datagrams of ${SENDERS} senders at ${PER_SECOND} messages a second`, {
  timeout: SECONDS * 1000 + 2 * MINUTE,
}, async () => {
  const { syslog, intake, drops, udpPort } = await startSyslog("many-senders", logs.store);
  const senders = await openSenders(SENDERS);
  const total = PER_SECOND * SECONDS;
  const startMs = clock.monotonicMs();
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((clock.monotonicMs() - startMs) * PER_SECOND) / 1000));
    for (; sent < due; sent += 1) {
      const message = `<38>1 2026-11-15T10:00:00Z fw-${sent % SENDERS} many-senders - - - message ${sent}`;
      senders[sent % SENDERS]?.send(message, udpPort, "127.0.0.1");
    }
    await clock.sleep(5);
  }
  const least = Math.ceil(total * LEAST_SHARE);
  await expect
    .poll(() => countStored("many-senders"), { timeout: SETTLE_MS, interval: 500 })
    .toBeGreaterThanOrEqual(least);
  for (const socket of senders) socket.close();
  await syslog.close();
  await intake.close();
  console.log({ total, stored: await countStored("many-senders") });
  await drops.flush();
  expect((await drops.list({})).items).toEqual([]);
});

it("counts dropped messages per sender, and does not let a noisy sender displace others", async () => {
  let isUnreachable = true;
  const logStore: IntakeOptions["logStore"] = {
    async insert(batch, options) {
      if (isUnreachable) throw new Problem("unavailable", "the log store does not answer");
      await logs.store.insert(batch, options);
    },
    count: (...asked) => logs.store.count(...asked),
  };
  const { syslog, intake, drops, udpPort } = await startSyslog("full", logStore, { datagrams: 40 });
  const [noisy, quiet] = await openSenders(2);
  const send = async (socket: Socket | undefined, count: number) => {
    for (let n = 0; n < count; n += 1) socket?.send(`<38>1 - - full-box - - - ${n}`, udpPort, "127.0.0.1");
    await clock.sleep(100);
  };
  await send(quiet, 2);
  await send(noisy, 100);
  await send(quiet, 8);
  isUnreachable = false;
  await syslog.close();
  await intake.close();
  expect(await countStored("full-box")).toBe(30);
  await drops.flush();
  const app = await featureApp(platform, dropsRoutes(drops));
  const { items, total } = (await app.inject("/api/v1/siem/drops")).json();
  expect(total).toBe(1);
  expect(items).toEqual([
    {
      sender: "syslog/udp:127.1.0.1",
      dropped: 80,
      first_dropped_at: expect.any(String),
      last_dropped_at: expect.any(String),
    },
  ]);
  await app.close();
});

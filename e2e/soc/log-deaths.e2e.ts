import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { count, select } from "../counts.ts";
import { summaryOf } from "../player/figures.ts";
import { findChild, findChildren, isRunning } from "../processes.ts";
import { requestToken, type StartedSoc, startSocForTest, startTwoForTest } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";
import { listStored, sendBatch, startSenders } from "./log-senders.ts";

const clock = createClock();
const DEATHS = count({ ci: 1, full: 20 });
// CI machines may have other load.
const ALERT_MS = count({ ci: 30_000, full: 10_000 });
const ENDED_MS = 10_000;
const STARTED_MS = 30_000;
const GOOD_LIFE_MS = 10_000;
const VICTIMS = { service: "main.js", worker: "--with-parent", "log engine": "main-log-engine.js" } as const;
const INDICATOR = { type: "domain", value: "bad.example", force: true };
const RULE = { name: "needle", query: "message:needle", alert_title_template: "needle on {host}" };

// In every build, the integration tests kill the two others.
it.each(select<keyof typeof VICTIMS>({ ci: ["service"], full: ["service", "worker", "log engine"] }))(
  `raises alerts, finds indicators and keeps every acknowledged log once after the %s is killed (${DEATHS})`,
  async (victim) => {
    const database = await startDatabaseForTest();
    const env = { SOC_LIMIT_INTAKE_PER_MINUTE: "10000000" };
    let soc = await startSocForTest(database.url, env);
    // Each later service opens the folder of the first one.
    const { dataFolder } = soc.service;
    let token = await requestToken(soc.client);
    const receiver = () => ({ url: soc.service.url, token });
    expect((await soc.client.post("/detections/rules", RULE)).status).toBe(201);
    const { status, body: indicator } = await soc.client.post("/iocs", INDICATOR);
    expect(status).toBe(201);
    const countHits = async () => (await soc.client.get(`/iocs/${indicator.id}/hits`)).body.total;
    const senders = startSenders(receiver);
    onTestFinished(() => senders.abort());
    await raiseAlert(soc, "before", receiver);

    const alertMs: number[] = [];
    for (let death = 0; death < DEATHS; death += 1) {
      // Kill at a different moment of the work each time. A worker that lives shorter is restarted later each time.
      await clock.sleep((victim === "worker" ? GOOD_LIFE_MS : 500) + ((death * 577) % 1500));
      const { pid } = soc.service;
      const children = await findChildren(pid);
      expect(children).toHaveLength(2);
      if (victim === "service") {
        await soc.service.stop("SIGKILL");
        soc = await startSocForTest(database.url, { ...env, SOC_DATA_DIR: dataFolder });
        token = await requestToken(soc.client);
        await expect.poll(() => countRunning(children), { timeout: ENDED_MS }).toBe(0);
      } else {
        sendSignal(await findChild(pid, VICTIMS[victim]), "SIGKILL");
      }
      alertMs.push(await raiseAlert(soc, `after-${death}`, receiver));
      // One hit for each log so far.
      await expect.poll(countHits, { timeout: ALERT_MS }).toBe(death + 2);
      await expect.poll(() => findChildren(soc.service.pid), { timeout: STARTED_MS }).toHaveLength(2);
    }

    const { sent, refusals } = await senders.stop();
    const stored = await listStored(receiver());
    console.log(
      `soc: ${DEATHS} deaths of the ${victim}, ${sent.length} logs acknowledged (${refusals} refusals), ` +
        `${stored.length} stored; from the next log to its alert: ${summaryOf(alertMs)}`,
    );
    expect(stored.toSorted()).toEqual(sent.toSorted());
    expect(Math.max(...alertMs)).toBeLessThan(ALERT_MS);
  },
);

it("stores logs and raises alerts again after the service with the shared log engine has stopped", async () => {
  const database = await startDatabaseForTest();
  const { first, second } = await startTwoForTest(database.url);
  const token = await requestToken(second.client);
  const receiver = () => ({ url: second.service.url, token });
  expect((await second.client.post("/detections/rules", RULE)).status).toBe(201);
  await raiseAlert(second, "before", receiver);
  await first.service.stop("SIGTERM");
  const alertMs = await raiseAlert(second, "after", receiver);
  console.log(`soc: alert of the second service ${Math.round(alertMs)} ms after the first one has stopped`);
  expect(alertMs).toBeLessThan(ALERT_MS);
});

/** Sends a log of a new host, which the rule matches, and returns how long its alert took. */
async function raiseAlert({ client }: StartedSoc, host: string, receiver: Parameters<typeof sendBatch>[0]) {
  const startMs = clock.monotonicMs();
  await sendBatch(receiver, `needle-${host}`, [
    { source: "probe", host, message: "a needle in the hay of bad.example" },
  ]);
  const listTitles = async () => {
    const { body } = await client.get("/alerts?source=detection&limit=200");
    return body.items?.map(({ title }: { title: string }) => title);
  };
  await expect.poll(listTitles, { timeout: 2 * ALERT_MS, interval: 100 }).toContain(`needle on ${host}`);
  return clock.monotonicMs() - startMs;
}

async function countRunning(pids: readonly number[]): Promise<number> {
  const running = await Promise.all(pids.map(isRunning));
  return running.filter(Boolean).length;
}

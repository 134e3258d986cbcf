import process from "node:process";
import { afterAll, beforeAll } from "vitest";
import { DAY_MS, describeSameAnswers, FIRST_MS, MINUTES, sampleLogs } from "../../../testing/matrices/same-answers.ts";
import { type StartedLogStores, startLogStores } from "../../../testing/servers/log-stores.ts";

/** Each store is a process, so a normal build starts fewer. */
const STORES = process.env.PROVE === "full" ? 5 : 3;
const BATCH = 100;
const ARRIVALS = { startMs: FIRST_MS + DAY_MS / 2, stepMs: 1000 };

let one: StartedLogStores;
let several: StartedLogStores;
const logs = sampleLogs(ARRIVALS);

beforeAll(async () => {
  [one, several] = await Promise.all([startLogStores(1), startLogStores(STORES)]);
  for (let at = 0; at < logs.length; at += BATCH) {
    const batch = logs.slice(at, at + BATCH);
    await one.store.insert(batch, { token: String(at) });
    await several.store.insert(batch, { token: String(at) });
  }
}, 3 * MINUTES);
afterAll(async () => {
  await one.stop();
  await several.stop();
});

describeSameAnswers({
  name: `${STORES} log stores answer as one does`,
  logs,
  arrivals: ARRIVALS,
  statsAt: { min: -100, max: 1000 },
  one: () => one.store,
  other: () => several.store,
});

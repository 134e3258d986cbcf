import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { startPostgres } from "@kit/testing/postgres";
import { freePort, type StartedProcess } from "@kit/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { countExpectedCalls, createCuts } from "../../../testing/matrices/response-cuts.ts";
import { createPlaybookWorld } from "../../../testing/matrices/response-places.ts";
import {
  removeResponseWorker,
  startAdapter,
  startResponseWorker,
} from "../../../testing/processes/response-worker-process.ts";
import { createDatabase } from "../../adapters/postgres.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import { createBase } from "../../foundation/base.ts";
import { createShowcaseClock } from "../../foundation/showcase/showcase-clock.ts";
import { LOCAL_YAML } from "../../foundation/yaml/local-yaml.ts";

const isFull = process.env.PROVE === "full";
/** Before the commit of a step, after an outbound call, and during a request for approval. */
const FEW = ["brute-force applied case", "ransomware-host ran isolate", "malicious-address applied agree"];
const CONCURRENCY = 10;
/** A playbook that waits for an approval during each restart. */
const ASKING = "suspicious-admin";
const clock = createClock();
const ids = createIds(clock);

async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), "executions-database-"));
  const port = await freePort();
  let server = await startPostgres({ folder, port });
  return {
    url: `${server.url}/postgres`,
    /** Ends all server processes at once without a checkpoint, like `pg_ctl stop -m immediate`. */
    kill: () => server.stop("SIGQUIT"),
    async startAgain() {
      server = await startPostgres({ folder, port });
    },
    async stop() {
      await server.stop("SIGINT");
      rmSync(folder, { recursive: true });
    },
  };
}

async function start() {
  const server = await startServer();
  const migrationsFolder = join(import.meta.dirname, "../../migrations");
  const onFirstAnswer = async () => undefined;
  const database = createDatabase({ url: server.url, migrationsFolder, clock, log: silentLog, onFirstAnswer });
  await expect.poll(() => database.isAvailable(), { timeout: 60_000 }).toBe(true);
  const showcase = createShowcaseClock(clock, buildShowcase);
  const world = await createPlaybookWorld(
    createBase({ yaml: LOCAL_YAML, mode: "real", database, showcase, clock, ids, log: silentLog }),
  );
  const adapter = await startAdapter();
  const workers: StartedProcess[] = [];
  onTestFinished(async () => {
    for (const worker of workers) await worker.stop("SIGKILL");
    await removeResponseWorker();
    adapter.close();
    await database.close();
    await server.stop();
  });
  const startWorker = async () => {
    const worker = await startResponseWorker({ databaseUrl: server.url, adapterUrl: adapter.url });
    workers.push(worker);
    return worker;
  };
  return { server, database, world, adapter, startWorker };
}

it("ends every execution despite kills of PostgreSQL, repeats no finished step and keeps the keys", {
  timeout: isFull ? 3_600_000 : 180_000,
}, async () => {
  const { server, database, world, adapter, startWorker } = await start();
  const cutting = createCuts(world, adapter);
  const { places, expected } = await world.survey();
  const cutAt = isFull ? places : places.filter(({ playbook_id, name }) => FEW.includes(`${playbook_id} ${name}`));
  expect(cutAt.length).toBe(isFull ? places.length : FEW.length);
  let worker = await startWorker();
  const takenOverMs: number[] = [];
  for (let from = 0; from < cutAt.length; from += CONCURRENCY) {
    const asking = await world.begin(ASKING);
    await expect
      .poll(async () => (await world.parts.executions.get(asking)).status, { timeout: 30_000 })
      .toBe("waiting");
    const parked = { execution_id: asking, finished: await world.finishedSteps(asking) };
    const cuts = await cutting.holdAt(cutAt.slice(from, from + CONCURRENCY));
    const before = await world.readOwners(cuts.map(({ execution_id }) => execution_id));

    await server.kill();
    // The blocked calls continue without a database.
    adapter.letGo();
    await expect.poll(() => worker.output(), { timeout: 20_000 }).toContain("worker ends");
    // A worker that cannot renew its lease must stop; its parent process starts another.
    expect(await worker.stop()).toBe(70);
    await server.startAgain();
    await expect.poll(() => database.isAvailable(), { timeout: 20_000 }).toBe(true);
    worker = await startWorker();
    takenOverMs.push(await cutting.untilTakenOver(before));
    await cutting.untilEnded([...before.keys(), asking]);

    for (const cut of cuts) {
      const { playbook_id, name } = cut.place;
      const where = `${playbook_id}, ${name}`;
      const whole = expected.get(playbook_id) ?? { keys: [] };
      const { left, repeated, calls } = await cutting.readOutcome(cut);
      expect(left, where).toEqual(whole);
      expect(repeated, where).toEqual([]);
      // Only the interrupted step may call again, with the same key.
      const times = calls[`:${cut.place.step_id}:1`] === 2 ? 2 : 1;
      expect(calls, where).toEqual(countExpectedCalls(whole, { place: cut.place, times }));
    }
    const { left, repeated, calls } = await cutting.readOutcome(parked);
    const whole = expected.get(ASKING) ?? { keys: [] };
    expect([left, repeated, calls], "waiting for an approval").toEqual([whole, [], countExpectedCalls(whole)]);
  }
  await worker.stop();
  process.stdout.write(
    `${cutAt.length} places, ${takenOverMs.length} kills of PostgreSQL, ` +
      `slowest takeover ${Math.round(Math.max(...takenOverMs))} ms after a worker was back\n`,
  );
});

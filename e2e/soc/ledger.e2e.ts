import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { addEvidence, openCase, type SocClient, type StartedSoc, startSocForTest, verifyLedger } from "./client.ts";
import { startDatabaseForTest, type TestDatabase } from "./database.ts";

const clock = createClock();
/** A checkpoint is signed at start, or a minute later if the database was unavailable then. */
const CHECKPOINT_MS = 75_000;
const BACK_MS = 5000;
const ALARM = "ledger does not match its signed checkpoint";

/** The size of the newest checkpoint that the platform serves. */
async function signedSize({ get }: SocClient): Promise<number> {
  const sizes: number[] = (await get("/ledger/checkpoints?limit=200")).body.items.map(
    ({ tree_size }: { tree_size: number }) => tree_size,
  );
  return Math.max(0, ...sizes);
}

async function untilSigned({ service, client }: StartedSoc, size: number): Promise<void> {
  const deadline = clock.deadline(CHECKPOINT_MS);
  while ((await signedSize(client)) < size) {
    if (deadline.aborted) throw new Error(`no checkpoint over ${size} entries:\n${service.output()}`);
    await clock.sleep(50);
  }
}

async function untilLogged({ service }: StartedSoc, words: string): Promise<void> {
  const deadline = clock.deadline(CHECKPOINT_MS);
  while (!service.output().includes(words)) {
    if (deadline.aborted) throw new Error(`'${words}' was not logged:\n${service.output()}`);
    await clock.sleep(50);
  }
}

/** Runs one API process after another; each verifies and signs the ledger when it starts. */
function createLives(database: TestDatabase) {
  let running: StartedSoc | undefined;
  let dataFolder: string | undefined;
  return {
    async begin() {
      await running?.service.stop();
      running = await startSocForTest(database.url, dataFolder === undefined ? {} : { SOC_DATA_DIR: dataFolder });
      dataFolder ??= running.service.dataFolder;
      return running;
    },
    checkpointFile: () => join(dataFolder ?? "", "ledger-checkpoints.ndjson"),
  };
}

/** Runs the work while the database is stopped, then waits until the platform can use it again. */
async function whileStopped<Result>(
  database: TestDatabase,
  { get }: SocClient,
  work: () => Promise<Result>,
): Promise<Result> {
  await database.stop();
  const result = await work();
  await database.start();
  const deadline = clock.deadline(BACK_MS);
  while ((await get("/cases")).status !== 200) await clock.sleep(50, deadline);
  return result;
}

it("detects a restored older database at start, logs it and signs no further checkpoints", async () => {
  const database = await startDatabaseForTest();
  const lives = createLives(database);
  const { client: first } = await lives.begin();
  const caseId = await openCase(first);
  for (const name of ["disk 1", "disk 2", "disk 3"]) await addEvidence(first, caseId, name);

  const second = await lives.begin();
  await untilSigned(second, 3);
  await whileStopped(database, second.client, () => database.copy());
  for (const name of ["disk 4", "disk 5"]) await addEvidence(second.client, caseId, name);

  const third = await lives.begin();
  await untilSigned(third, 5);
  expect(third.service.output()).not.toContain(ALARM);
  // Without a database, no process can sign another checkpoint of the old ledger.
  const signed = await whileStopped(database, third.client, async () => {
    await database.restore();
    return readFile(lives.checkpointFile(), "utf8");
  });
  const { status, body } = await addEvidence(third.client, caseId, "another disk 4");
  expect([status, body.ledger?.sequence]).toEqual([201, 4]);
  // No process has verified the ledger since. The export is consistent in itself, but contradicts the external file.
  expect(await verifyLedger(third.client, caseId, lives.checkpointFile())).toMatch(
    /^NOT GENUINE: the ledger had 5 entries at .*, but this later export knows 3: it was set back/,
  );

  const fourth = await lives.begin();
  await untilLogged(fourth, ALARM);
  expect(fourth.service.output()).toMatch(
    /"level":"error".*the ledger has 3 entries, but had 5 at .*: it was set back/,
  );
  const { alarm } = (await fourth.client.get("/ledger/status")).body;
  expect(alarm).toMatch(/^the ledger has 3 entries, but had 5 at .*: it was set back$/);
  expect((await fourth.client.get(`/ledger/bundle?case_id=${caseId}`)).status).toBe(409);
  expect(await signedSize(fourth.client)).toBe(3);
  expect(await readFile(lives.checkpointFile(), "utf8")).toBe(signed);
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { buildFormerRelease } from "@soc/service/testing/servers/former-release";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { createSocClient, requestToken } from "./client.ts";
import { startDatabaseForTest, type TestDatabase } from "./database.ts";
import { runBundle, type StartedRelease, startRelease, thisRelease } from "./former-release.ts";
import { startUpgradeLoad, type UpgradeLoad } from "./upgrade-load.ts";
import { formatTally } from "./writers.ts";

const clock = createClock();
const BUILD_MS = 20 * 60_000;
const PHASE_MS = 15_000;
const SETTLED_MS = 60_000;
const LEDGER_STEP = 50;
const COMMANDS = { former: "main-migrate", this: "main-command" } as const;

let former: string;
beforeAll(async () => {
  former = await buildFormerRelease();
}, BUILD_MS);

/** A database whose owner migrates, and a login of the service that owns nothing: the recommended way. */
async function prepareDatabase({ url, ask }: TestDatabase) {
  await runBundle(former, [COMMANDS.former], { SOC_DATABASE_OWNER_URL: url });
  await ask("CREATE ROLE soc_login LOGIN IN ROLE soc_app, soc_site");
  const login = new URL(url);
  login.username = "soc_login";
  return login.href;
}

async function prepareHost(databaseUrl: string) {
  const dataFolder = await mkdtemp(join(tmpdir(), "soc-upgrade-"));
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }));
  return async (release: string, url = databaseUrl) => {
    const started = await startRelease(release, { databaseUrl: url, dataFolder });
    onTestFinished(async () => {
      await started.stop();
    });
    return started;
  };
}

/** Replaces a service as an operator behind a balancer does: the new one is ready first, then the other one is stopped. */
async function replace(load: UpgradeLoad, before: StartedRelease, after: StartedRelease): Promise<void> {
  await load.enter(after.url);
  await clock.sleep(PHASE_MS);
  load.leave(before.url);
  expect(await before.stop("SIGTERM")).toBe(0);
  await clock.sleep(PHASE_MS);
}

/** All that was acknowledged is there once, the ledger is genuine for both releases, and no service had an error of ours. */
async function expectWhole(load: UpgradeLoad, { url }: StartedRelease, services: readonly StartedRelease[]) {
  await expect.poll(() => load.findDifferences(), { timeout: SETTLED_MS, interval: 2000 }).toEqual([]);
  const client = createSocClient(url, await requestToken(createSocClient(url)));
  const folder = await mkdtemp(join(tmpdir(), "soc-bundles-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect((await client.get("/ledger/status")).body.alarm).toBeNull();
  for (const id of load.ledgers().filter((_, index) => index % LEDGER_STEP === 0)) {
    const path = join(folder, `${id}.json`);
    await writeFile(path, JSON.stringify((await client.get(`/ledger/bundle?case_id=${id}`)).body));
    for (const release of [former, thisRelease]) {
      expect(await runBundle(release, ["main-verify", "verify", path])).toMatch(/^GENUINE: /);
    }
  }
  for (const each of services) {
    const errors = each
      .output()
      .split("\n")
      .filter((line) => line.includes('"level":"error"'));
    expect(errors).toEqual([]);
  }
  expect(Object.fromEntries(load.unexpected)).toEqual({});
}

it("serves the same database with the previous release and this one: forward, back and forward again", async () => {
  const database = await startDatabaseForTest();
  const start = await prepareHost(await prepareDatabase(database));
  const first = await start(former);
  const load = await startUpgradeLoad(first.url);
  onTestFinished(() => load.stop());
  await clock.sleep(PHASE_MS);

  const migrated = await runBundle(thisRelease, [COMMANDS.this, "migrate"], { SOC_DATABASE_OWNER_URL: database.url });
  expect(migrated).toBe("The database is up to date\n");
  await clock.sleep(PHASE_MS);
  const second = await start(thisRelease);
  await replace(load, first, second);
  // The owner's login: this start would bring the tables of the former release up to date.
  const third = await start(former, database.url);
  await replace(load, second, third);
  const fourth = await start(thisRelease);
  await replace(load, third, fourth);
  await load.stop();
  console.log(`upgrade: ${formatTally(load.tally)}, ${JSON.stringify(load.acknowledged())}`);
  await expectWhole(load, fourth, [first, second, third, fourth]);
});

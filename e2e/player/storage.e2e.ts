import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { count } from "../counts.ts";
import { makeCard } from "./card.ts";
import { type PlayerClient, type StartedPlayer, startPlayer } from "./client.ts";

const run = promisify(execFile);
const MIXTURES = count({ ci: 4, full: 200 });
const CONCURRENCY = count({ ci: 2, full: 4 });
const SEED = 11;
const DAY_S = 86_400;

/** The damage of the storage when the service starts. */
interface Mixture {
  /** How the service ended. Only an orderly stop leaves a copy of the last minute. */
  ending: "stopped" | "killed";
  disk: "sound" | "full" | "read-only";
  /** A newer version has used it, with or without the copy from before its upgrade. */
  newer: "no" | "with copy" | "without copy";
  hasForeignRows: boolean;
  torn: "no" | "page" | "cut short" | "no database" | "garbage in the log";
  seed: number;
}

const mixture: fc.Arbitrary<Mixture> = fc
  .record({
    ending: fc.constantFrom("stopped", "killed"),
    disk: fc.constantFrom("sound", "full", "read-only"),
    newer: fc.constantFrom("no", "with copy", "without copy"),
    hasForeignRows: fc.boolean(),
    torn: fc.constantFrom("no", "page", "cut short", "no database", "garbage in the log"),
    seed: fc.noBias(fc.integer({ min: 1, max: 1_000_000 })),
  } as const)
  // The damaged part of a file is lost if the damage precedes its first copy.
  .filter(({ ending, torn }) =>
    ending === "stopped" ? torn !== "garbage in the log" : ["no", "garbage in the log"].includes(torn),
  );

const isRoot = process.getuid?.() === 0;
let card: string;
/** The data folder of a device that was used, as each ending leaves it. */
const origins = new Map<Mixture["ending"], { folder: string; kept: StoredState }>();

type StoredState = Awaited<ReturnType<typeof readKept>>;

/** Everything that the owner has set, as the API gives it. */
async function readKept({ get, ask, token }: PlayerClient) {
  const cards = await ask({ method: "GET", path: "/api/rfid/cards", headers: { authorization: `Bearer ${token}` } });
  const { schedules } = (await get("/api/schedules")).body;
  const { max_volume, device_name, timezone } = (await get("/api/settings")).body;
  return {
    settings: { max_volume, device_name, timezone },
    prayer: (await get("/api/prayer")).body.config,
    favorites: (await get("/api/favorites")).body.favorites,
    stations: (await get("/api/radio/stations")).body.stations,
    cards: cards.body.cards,
    schedules: schedules.map(({ id, name, anchor, days, target }: StoredState["schedules"][number]) => ({
      id,
      name,
      anchor,
      days,
      target,
    })),
  };
}

async function start(dataFolder: string): Promise<StartedPlayer> {
  return startPlayer(card, { PLAYER_DRIVERS: "simulated", PLAYER_LIMITS: "off", PLAYER_DATA_DIR: dataFolder });
}

async function setUpDevice({ post }: PlayerClient): Promise<void> {
  const noon = { name: "Noon", anchor: { prayer: 2, offset_min: 0 }, days: 127, target: "Husary/001.mp3" };
  const binding = { type: "surah", reciter: "Husary", surah: 1 };
  const requests: [string, object][] = [
    ["/api/settings", { max_volume: 90, device_name: "منارة" }],
    ["/api/settings/timezone", { timezone: "UTC0" }],
    ["/api/prayer/config", { lat: 21.42, lng: 39.83, method: 3, adhan: { enabled: true, prayer_mask: 63 } }],
    ["/api/rfid/cards", { uid: "04A1B2C3", name: "Green", binding }],
    ["/api/schedules", noon],
    ["/api/schedules", { ...noon, name: "Night", anchor: undefined, hour: 23, minute: 59 }],
  ];
  for (let surah = 3; surah < 40; surah += 1)
    requests.push(["/api/favorites", { type: "surah", reciter: "Husary", surah }]);
  for (const [path, body] of requests) {
    const { status, text } = await post(path, body);
    expect([path, status, text]).toEqual([path, 200, text]);
  }
}

beforeAll(async () => {
  card = await makeCard({ reciters: { Husary: [1, 2] }, seconds: 30 });
  for (const ending of ["stopped", "killed"] as const) {
    const folder = await mkdtemp(join(tmpdir(), "storage-origin-"));
    const player = await start(folder);
    await setUpDevice(player.client);
    const kept = await readKept(player.client);
    await player.service.stop(ending === "stopped" ? "SIGTERM" : "SIGKILL");
    await rm(join(folder, "simulator.sock"), { force: true });
    origins.set(ending, { folder, kept });
  }
}, 120_000);

/** A small separate disk with the data of a used device. */
async function makeDisk(ending: Mixture["ending"]): Promise<{ disk: string; dataFolder: string; kept: StoredState }> {
  const origin = origins.get(ending);
  if (!origin) throw new Error(`there is no device that was ${ending}`);
  const disk = await mkdtemp(join(tmpdir(), "storage-disk-"));
  await run("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", disk]);
  const dataFolder = join(disk, "data");
  await cp(origin.folder, dataFolder, { recursive: true });
  return { disk, dataFolder, kept: origin.kept };
}

function afflict(dataFolder: string, { newer, hasForeignRows }: Mixture): void {
  const database = new DatabaseSync(join(dataFolder, "player.db"));
  // No prepared statement: it would keep the file open until it is collected as garbage.
  if (newer === "with copy") database.exec(`VACUUM INTO '${join(dataFolder, "player.db.before-upgrade")}'`);
  if (newer !== "no") {
    database.exec("ALTER TABLE cards ADD COLUMN colour TEXT; CREATE TABLE moods (name TEXT); PRAGMA user_version = 99");
  }
  if (hasForeignRows) {
    database.exec(`
      INSERT INTO cards (uid, name, binding, on_repeat, on_remove) VALUES ('04FFFFFF', 'x', '{"type":"verse"}', 'toggle', 'inherit');
      INSERT INTO schedules (name, days, target, fade_in_s, duration_min, once, enabled, last_result, handled)
        VALUES ('x', 127, 'no JSON', 0, 0, 0, 1, '', '[]');
      REPLACE INTO ota_update VALUES (1, 'telepathy', 'dreaming', 0, '', 'b', 'x', 1);
      REPLACE INTO settings VALUES ('brightness', '"very"');
    `);
  }
  database.close();
}

async function tear(dataFolder: string, { torn, seed }: Mixture): Promise<void> {
  const path = join(dataFolder, "player.db");
  if (torn === "no") return;
  if (torn === "garbage in the log") return appendFile(`${path}-wal`, Buffer.alloc(6000, seed % 256));
  // A page that is also in the log would be read from there.
  const database = new DatabaseSync(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const pages = Math.floor((await stat(path)).size / 4096);
  const file = await open(path, "r+");
  if (torn === "page") await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (seed % pages) * 4096);
  if (torn === "cut short") await file.truncate((1 + (seed % (pages - 1))) * 4096 - 100);
  if (torn === "no database") await file.write(Buffer.alloc(pages * 4096, seed % 256), 0, pages * 4096, 0);
  await file.close();
}

async function fillUp(path: string): Promise<void> {
  for (const size of [65_536, 4096, 1]) {
    let hasRoom = true;
    while (hasRoom) {
      hasRoom = await appendFile(path, Buffer.alloc(size)).then(
        () => true,
        () => false,
      );
    }
  }
}

const remount = (disk: string, how: "ro" | "rw") => run("mount", ["-o", `remount,${how}`, disk]);

async function expectAlive({ client }: StartedPlayer, storageFails: boolean): Promise<void> {
  const { status, body } = await client.get("/api/system");
  expect(status).toBe(200);
  const failures = body.boot_failures.filter(({ component }: { component: string }) => component === "storage");
  expect([storageFails, failures]).toEqual([failures.length > 0, failures]);
  // It plays.
  expect((await client.post("/api/playback/play", { path: "Husary/002.mp3" })).body).toMatchObject({
    state: "playing",
  });
  const position = async () => (await client.get("/api/playback/status")).body.position;
  await expect.poll(position).toBeGreaterThan(200);
  // It calls to prayer, and then runs the schedule of that minute.
  const live = await client.socket();
  const readNoon = async (): Promise<number> => (await client.get("/api/prayer")).body.epochs[2];
  const setTime = async (epoch: number) => {
    expect((await client.post("/api/settings/time", { epoch })).status).toBe(200);
  };
  // In the morning of the next day, whose noon may be a minute later.
  await setTime((await readNoon()) + DAY_S - 3600);
  await setTime((await readNoon()) - 2);
  await live.next("adhan", ({ phase, prayer }) => phase === "started" && prayer === "dhuhr", 30_000);
  await live.next("adhan", ({ phase }) => phase === "ended", 30_000);
  await live.next("schedule_fired", ({ name, result }) => name === "Noon" && result === "ok", 30_000);
  expect((await client.get("/api/playback/status")).body).toMatchObject({ state: "playing", track: "Husary/001.mp3" });
  await live.close();
}

/** A change that is answered with success, or refused with a reason. Returns what is known to be stored. */
async function tryChange(client: PlayerClient, kept: StoredState): Promise<StoredState> {
  const binding = { type: "surah", reciter: "Husary", surah: 2 };
  const { status, body } = await client.post("/api/rfid/cards", { uid: "04DDDDDD", name: "Red", binding });
  if (status === 200) return { ...kept, cards: (await readKept(client)).cards };
  expect([status, body]).toEqual([500, { error: expect.stringMatching(/^storage: ./) }]);
  return kept;
}

async function prove(mixed: Mixture): Promise<void> {
  const { disk, dataFolder, kept } = await makeDisk(mixed.ending);
  try {
    afflict(dataFolder, mixed);
    await tear(dataFolder, mixed);
    if (mixed.disk === "full") await fillUp(join(disk, "filler"));
    if (mixed.disk === "read-only") await remount(disk, "ro");
    const first = await start(dataFolder);
    let known: Awaited<ReturnType<typeof expectSame>>;
    try {
      known = await expectSame(first, kept, mixed);
    } finally {
      await first.service.stop("SIGKILL");
    }
    if (mixed.disk === "read-only") await remount(disk, "rw");
    await rm(join(disk, "filler"), { force: true });
    const second = await start(dataFolder);
    try {
      expect(await readKept(second.client)).toEqual(known);
      expect((await second.client.post("/api/settings", { max_volume: 80 })).status).toBe(200);
      expect(
        (await readdir(dataFolder)).filter((name) => /^player\.db\.(broken|newer)-\d+$/.test(name)).length,
      ).toBeLessThan(2);
    } finally {
      await second.service.stop("SIGKILL");
    }
  } finally {
    await run("umount", ["--lazy", disk]);
  }
}

async function expectSame(player: StartedPlayer, kept: StoredState, mixed: Mixture): Promise<StoredState> {
  const { disk, newer, torn, hasForeignRows } = mixed;
  expect(await readKept(player.client)).toEqual(kept);
  const isRepaired = newer !== "no" || !["no", "garbage in the log"].includes(torn);
  await expectAlive(player, disk === "read-only" || isRepaired || hasForeignRows);
  const known = await tryChange(player.client, kept);
  if (disk === "read-only") expect(known).toEqual(kept);
  return known;
}

it.skipIf(!isRoot)(
  `starts, plays, calls and answers on a storage that is full, read-only, torn, newer or foreign (${MIXTURES})`,
  async () => {
    const waiting = fc.sample(mixture, { numRuns: MIXTURES, seed: SEED });
    const work = async () => {
      for (let mixed = waiting.pop(); mixed; mixed = waiting.pop()) {
        await prove(mixed).catch((cause: unknown) => {
          throw new Error(`on ${JSON.stringify(mixed)}`, { cause });
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    console.log(
      `player: ${MIXTURES} mixtures of broken storages, it always started, and nothing acknowledged was lost`,
    );
  },
);

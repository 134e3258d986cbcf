import { execFile } from "node:child_process";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import fc from "fast-check";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { count } from "../counts.ts";
import { expectKept, newKnowledge, writeEverything } from "./acknowledged-writes.ts";
import { makeCard, makeFile } from "./card.ts";
import { type Answer, hearFile, type PlayerClient, type StartedPlayer, startPlayerForTest } from "./client.ts";
import { findMpv, isRunning } from "./mpv-processes.ts";

const clock = createClock();
const run = promisify(execFile);
const DEATHS = count({ ci: 1, full: 20 });
const SEED = 1;
const LONG = "Husary/002.mp3";

let card: string;

beforeAll(async () => {
  card = await makeCard({ reciters: {} });
  await makeFile(join(card, LONG), { seconds: 600 });
});

const start = (dataFolder: string) => startPlayerForTest(card, { PLAYER_LIMITS: "off", PLAYER_DATA_DIR: dataFolder });
const status = async ({ get }: PlayerClient) => (await get("/api/playback/status")).body;

async function playAt({ client }: StartedPlayer, position: number): Promise<void> {
  await hearFile(client, LONG);
  await client.post("/api/playback/seek", { position });
}

it(`keeps all acknowledged data over power cuts while it plays and clients write (${DEATHS})`, async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "player-"));
  const moment = fc.record({
    seekMs: fc.noBias(fc.integer({ min: 40_000, max: 500_000 })),
    killAfterMs: fc.noBias(fc.integer({ min: 100, max: 1500 })),
  });
  const knowledge = newKnowledge();
  const behind: number[] = [];
  let player = await start(dataFolder);
  for (const { seekMs, killAfterMs } of fc.sample(moment, { numRuns: DEATHS, seed: SEED })) {
    await playAt(player, seekMs);
    const mpv = await findMpv(player.service.pid);
    const writing = writeEverything(player.client, knowledge);
    await clock.sleep(killAfterMs);
    const { state, position } = await status(player.client);
    expect(state).toBe("playing");
    await player.service.stop("SIGKILL");
    await writing;

    player = await start(dataFolder);
    expect(await isRunning(mpv)).toBe(false);
    // This machine need not have a radio, a reader or a panel; but the stored data must be intact.
    expect((await player.client.get("/api/system")).body.boot_failures).not.toContainEqual(
      expect.objectContaining({ component: "storage" }),
    );
    await expectKept(player.client, knowledge);
    expect(await status(player.client)).toMatchObject({ state: "stopped", hasResumeState: true });
    const resumed = (await player.client.post("/api/playback/resume-saved")).body;
    expect(resumed).toMatchObject({ success: true, track: LONG });
    // It rewinds two seconds.
    behind.push(position - (resumed.position + 2000));
  }
  console.log(
    `player service: ${DEATHS} power cuts, ${knowledge.writes} acknowledged writes, none lost; ` +
      `the saved position was at most ${Math.round(Math.max(...behind))} ms behind`,
  );
  expect(Math.max(...behind)).toBeLessThan(30_000);
  expect(Math.min(...behind)).toBeGreaterThan(-1000);
  expect(knowledge.writes).toBeGreaterThan(10 * DEATHS);
});

/** A small separate disk, which only root can mount. */
async function mountSmallDisk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "small-disk-"));
  await run("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
  onTestFinished(async () => {
    await run("umount", ["--lazy", folder]);
  });
  return folder;
}

/** Writes until nothing more fits, down to the last page. */
async function fillUp(path: string): Promise<void> {
  for (const size of [65_536, 4096, 1]) {
    const isFull = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOSPC";
    let hasRoom = true;
    while (hasRoom) {
      hasRoom = await appendFile(path, Buffer.alloc(size)).then(
        () => true,
        (error: unknown) => {
          if (isFull(error)) return false;
          throw error;
        },
      );
    }
  }
}

it.skipIf(process.getuid?.() !== 0)(
  "continues to play and reports it when its storage is full, and loses nothing",
  async () => {
    const dataFolder = await mountSmallDisk();
    const first = await start(dataFolder);
    const surahs = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const add = ({ client }: StartedPlayer, surah: number) =>
      client.post("/api/favorites", { type: "surah", reciter: "Husary", surah });
    const kept = async ({ client }: StartedPlayer): Promise<number[]> =>
      (await client.get("/api/favorites")).body.favorites.map(({ surah }: { surah: number }) => surah);
    const acknowledged: number[] = [];
    const addAll = async (player: StartedPlayer, wanted: number[]): Promise<Answer[]> => {
      const answers: Answer[] = [];
      for (const surah of wanted) {
        const answer = await add(player, surah);
        if (answer.status === 200) acknowledged.push(surah);
        answers.push(answer);
      }
      return answers;
    };
    await playAt(first, 100_000);
    await addAll(first, surahs(1, 20));

    await fillUp(join(dataFolder, "filler"));
    const refused = (await addAll(first, surahs(21, 60))).filter((answer) => answer.status !== 200);
    expect(refused.length).toBeGreaterThan(20);
    for (const { status: code, body } of refused)
      expect([code, body]).toEqual([500, { error: expect.stringMatching(/^storage: ./) }]);
    const before = await status(first.client);
    await clock.sleep(1000);
    const after = await status(first.client);
    expect([before.state, after.state]).toEqual(["playing", "playing"]);
    expect(after.position - before.position).toBeGreaterThan(700);
    expect(await kept(first)).toEqual(acknowledged);
    await first.service.stop("SIGKILL");

    const second = await start(dataFolder);
    expect(await kept(second)).toEqual(acknowledged);
    expect((await add(second, 61)).body).toEqual({ error: expect.stringMatching(/^storage: ./) });
    expect((await second.client.post("/api/playback/resume-saved")).body).toMatchObject({
      state: "playing",
      track: LONG,
    });
    await rm(join(dataFolder, "filler"));
    const again = await addAll(second, surahs(62, 70));
    expect(again.map((answer) => answer.status)).toEqual(again.map(() => 200));
    await second.service.stop("SIGKILL");

    const third = await start(dataFolder);
    expect(await kept(third)).toEqual(acknowledged);
    console.log(
      `player service: full storage, ${refused.length} writes refused, ${acknowledged.length} acknowledged, none lost`,
    );
  },
);

import { mkdtemp, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { beforeAll, describe, expect, it } from "vitest";
import { makeCard, makeFile } from "./card.ts";
import { hearFile, type PlayerClient, startPlayerForTest, untilScanned } from "./client.ts";

const clock = createClock();
const LONG = "Husary/002.mp3";

let card: string;

beforeAll(async () => {
  card = await makeCard({ reciters: { Husary: [1] } });
  await makeFile(join(card, LONG), { seconds: 120 });
});

const status = async ({ get }: PlayerClient) => (await get("/api/playback/status")).body;

it("stops with an error and keeps the position when the card is removed, and reads it again when it is inserted", async () => {
  const { client } = await startPlayerForTest(card, { PLAYER_LIMITS: "off" });
  await untilScanned(client);
  await hearFile(client, LONG);
  await client.post("/api/playback/seek", { position: 60_000 });
  const live = await client.socket();
  await rename(card, `${card}-pulled`);
  expect((await live.next("error")).data).toEqual({ code: "card", message: expect.stringMatching(/^card: ./) });
  expect(await status(client)).toMatchObject({ state: "stopped", mode: "idle", hasResumeState: true });
  expect((await client.get("/api/library/reciters")).body.reciters).toEqual([]);
  const refused = await client.post("/api/playback/resume-saved");
  expect([refused.status, refused.body]).toEqual([400, { error: expect.stringMatching(/^path: ./) }]);
  await rename(`${card}-pulled`, card);
  await live.next("library", ({ scanning, reciters }) => !scanning && reciters === 1);
  expect((await client.post("/api/playback/resume-saved")).body).toMatchObject({ state: "playing", track: LONG });
  await expect.poll(async () => (await status(client)).position, { timeout: 5000 }).toBeGreaterThan(57_900);
  expect((await status(client)).position).toBeLessThan(65_000);
  await live.close();
});

describe.each([
  ["no mpv", async () => ({ PATH: await mkdtemp(join(tmpdir(), "empty-")) })],
  ["no audio device", async () => ({ PLAYER_AUDIO_OUTPUT: "alsa" })],
])("a player with %s", (_, env) => {
  it("reports the boot failure, refuses to play, and does everything else", async () => {
    const { client } = await startPlayerForTest(card, { ...(await env()), PLAYER_LIMITS: "off" });
    await expect
      .poll(async () => (await client.get("/api/system")).body.boot_failures, { timeout: 10_000 })
      .toContainEqual({ component: "audio", error: expect.stringMatching(/./) });
    await untilScanned(client);
    for (let i = 0; i < 2; i += 1) {
      const refused = await client.post("/api/playback/play", { path: LONG });
      expect([refused.status, refused.body]).toEqual([500, { error: expect.stringMatching(/^audio: ./) }]);
    }
    expect(await status(client)).toMatchObject({ state: "stopped", mode: "idle" });
    const others = [
      client.post("/api/playback/pause"),
      client.post("/api/playback/stop"),
      client.post("/api/playback/volume", { volume: 7 }),
      client.post("/api/playback/mode", { mode: "continuous" }),
      client.get("/api/playback/mode"),
      client.get("/api/library/reciters"),
      client.get("/api/library/surahs?reciter=Husary"),
      client.post("/api/favorites", { type: "surah", reciter: "Husary", surah: 1 }),
      client.get("/api/favorites"),
      client.get("/api/radio/stations"),
    ];
    expect((await Promise.all(others)).map((answer) => answer.status)).toEqual(others.map(() => 200));
  });
});

it("resumes after a power cut what was playing, and only that", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "player-"));
  const start = () => startPlayerForTest(card, { PLAYER_LIMITS: "off", PLAYER_DATA_DIR: dataFolder });
  const expectToPlay = (client: PlayerClient) =>
    expect
      .poll(() => status(client), { timeout: 8000 })
      .toMatchObject({
        state: "playing",
        track: LONG,
        duration: expect.toSatisfy((duration) => duration > 0),
      });

  const first = await start();
  const { body } = await first.client.post("/api/settings/auto-resume", { enabled: true });
  expect(body).toMatchObject({ success: true, auto_resume: true });
  await hearFile(first.client, LONG);
  await first.service.stop("SIGKILL");

  const second = await start();
  await expectToPlay(second.client);
  await second.client.post("/api/playback/pause");
  await second.client.post("/api/playback/resume");
  await second.service.stop("SIGKILL");

  const third = await start();
  await expectToPlay(third.client);
  await third.client.post("/api/playback/pause");
  await third.service.stop("SIGKILL");

  const fourth = await start();
  await untilScanned(fourth.client);
  await clock.sleep(1000);
  expect(await status(fourth.client)).toMatchObject({ state: "stopped", hasResumeState: true });
});

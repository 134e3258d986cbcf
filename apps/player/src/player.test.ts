import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { expect, it, onTestFinished } from "vitest";
import { createManualEngine } from "../testing/manual-engine.ts";
import { createTestPlayer, TOKEN } from "../testing/test-player.ts";
import { createSimulatedHardware } from "./drivers/simulated-hardware.ts";

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "player-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const cardFolder = join(folder, "card");
  await mkdir(join(cardFolder, "Husary"), { recursive: true });
  await writeFile(join(cardFolder, "Husary", "002.mp3"), "");
  return { folder, cardFolder };
}

const post = (url: string, payload?: object) => ({
  method: "POST" as const,
  url,
  headers: { authorization: `Bearer ${TOKEN}` },
  ...(payload && { payload }),
});

it("closes every part, also after one that fails", async () => {
  const { folder } = await setUp();
  const hardware = createSimulatedHardware({
    engine: createManualEngine(),
    dataFolder: folder,
    clock: createFakeClock(),
    ids: createFakeIds(),
  });
  const closed: string[] = [];
  const fail = (name: string) => async () => {
    closed.push(name);
    throw new TypeError(`${name} does not close`);
  };
  const player = await createTestPlayer({
    dataFolder: folder,
    hardware: {
      ...hardware,
      engine: { ...hardware.engine, close: fail("engine") },
      reader: { ...hardware.reader, close: fail("reader") },
      close: fail("hardware"),
    },
  });
  await player.close();
  expect(closed).toEqual(["engine", "reader", "hardware"]);
});

it("knows no track of the former owner after a reset", async () => {
  const { cardFolder } = await setUp();
  const player = await createTestPlayer({ cardFolder });
  onTestFinished(() => player.close());
  const { app } = player;
  const played = await app.inject(post("/api/playback/play", { path: "Husary/002.mp3" }));
  expect(played.json()).toMatchObject({ track: "Husary/002.mp3", reciter: "Husary", surah_number: 2 });
  expect((await app.inject(post("/api/reset"))).statusCode).toBe(200);
  expect((await app.inject("/api/playback/status")).json()).toMatchObject({
    state: "stopped",
    track: "",
    reciter: "",
    surah_number: 0,
    source: null,
    hasResumeState: false,
  });
});

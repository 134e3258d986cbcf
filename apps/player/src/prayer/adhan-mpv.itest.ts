import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sendSignal } from "@kit/testing/process";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { AZAN, buildPrayerDay, createAdhanWorld } from "../../testing/adhan-world.ts";
import { createMpvEngine } from "../drivers/mpv-engine.ts";
import { silentWav } from "../drivers/silence.ts";

const ADHANS = process.env.PROVE === "full" ? 100 : 4;
const FIRST_DAY = 20_600;
const DHUHR = 2;
const LEAD_S = 1.5;
const AZAN_MS = 2000;

const folder = mkdtempSync(join(tmpdir(), "adhan-mpv-"));
const cardFolder = join(folder, "card");
const tone = join(folder, "tone.wav");
mkdirSync(join(cardFolder, "Husary"), { recursive: true });
writeFileSync(join(cardFolder, AZAN), silentWav(AZAN_MS));
writeFileSync(tone, silentWav(500));
for (const surah of ["001", "036"]) writeFileSync(join(cardFolder, "Husary", `${surah}.wav`), silentWav(60_000));

// Writes its process id down, so that the test can kill it.
const command = join(folder, "mpv");
const pidFile = join(folder, "pid");
writeFileSync(command, `#!/bin/sh\necho $$ > ${pidFile}\nexec mpv "$@"\n`, { mode: 0o755 });

const clock = createClock();
const engine = createMpvEngine({ clock, log: silentLog, output: "null", command });
const world = createAdhanWorld({
  clock,
  engine,
  cardFolder,
  tone,
  card: { isIn: true, hangsUntilMs: 0 },
  measureSound: () => ({ azan: 0, tone: 0 }),
});
world.start();
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

/** What surrounds one adhan: a recitation before it, what the clock starts with it, and what a person does to the sound. */
const around = fc.record({
  isPlaying: fc.boolean(),
  isPaused: fc.boolean(),
  seekMs: fc.option(fc.integer({ min: 0, max: 50_000 }), { nil: undefined }),
  volume: fc.integer({ min: 0, max: 100 }),
  scheduled: fc.option(fc.constantFrom("stop", "pause", "toggle", "file"), { nil: undefined }),
  setsClockBackS: fc.constantFrom(0, 0, 1),
  /** After the prayer, when mpv is killed. */
  killedAtMs: fc.option(fc.integer({ min: -300, max: 2500 }), { nil: undefined }),
});

it.each(Array.from({ length: ADHANS }, (_, index) => index))(
  "plays adhan %i to its end on mpv",
  {
    timeout: 60_000,
  },
  async (index) => {
    const [wanted] = fc.sample(around, { numRuns: 1, seed: index });
    if (!wanted) throw new Error("nothing was sampled");
    const { playback, schedules, changes } = world;
    const epoch = buildPrayerDay(FIRST_DAY + index).epochs[DHUHR] ?? 0;
    world.setClock(epoch - 120);
    const { id } = await schedules.add({
      days: 127,
      anchor: { prayer: DHUHR, offset_min: 0 },
      target:
        wanted.scheduled === "file"
          ? { type: "file", path: "Husary/036.wav" }
          : { type: "command", command: wanted.scheduled ?? "toggle" },
    });
    if (wanted.scheduled === undefined) schedules.remove(String(id));
    if (wanted.isPlaying) await playback.play({ path: "Husary/001.wav" });
    if (wanted.isPlaying && wanted.seekMs !== undefined) playback.seek(wanted.seekMs);
    if (wanted.isPaused) playback.pause();
    const before = changes.length;
    world.setClock(epoch - LEAD_S);
    playback.setVolume(wanted.volume);
    await clock.sleep(500);
    if (wanted.setsClockBackS > 0) world.setClock(world.now() / 1000 - wanted.setsClockBackS);
    if (wanted.killedAtMs !== undefined) {
      await clock.sleep(Math.max(0, epoch * 1000 + wanted.killedAtMs - world.now()));
      sendSignal(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
    }
    const phases = () => changes.slice(before).map(({ phase }) => phase);
    await expect.poll(phases, { timeout: 30_000, interval: 50 }).toEqual(["started", "ended"]);
    const [started, ended] = changes.slice(before);
    expect((ended?.atMs ?? 0) - (started?.atMs ?? 0)).toBeGreaterThanOrEqual(AZAN_MS);
    if (wanted.scheduled !== undefined) schedules.remove(String(id));
    playback.stop();
  },
);

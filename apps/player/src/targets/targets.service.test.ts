import { invalidField } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { createPlaybackBench, flow, MINUTE, type PlaybackBench } from "../../testing/playback-bench.ts";
import type { Target } from "./target.schema.ts";
import { createTargetsService } from "./targets.service.ts";

const NEVER = { play_count: 0, last_played: null, created_at: 0 };

function setUp() {
  const bench = createPlaybackBench();
  const onCard = (reciter: string, surah: number) => reciter === "Husary" && bench.card.has(surah);
  const targets = createTargetsService({
    playback: bench.playback,
    library: {
      resolve: async (path) => {
        if (path !== "azan.mp3") {
          throw invalidField("path", "there is no such file or folder on the card", { code: "file_missing" });
        }
        return { absolute: "/card/azan.mp3", path, reciter: "", surah: 0 };
      },
      find: (reciter, surah) => {
        const path = `${reciter}/${String(surah).padStart(3, "0")}.mp3`;
        return onCard(reciter, surah) ? { absolute: `/card/${path}`, path, reciter, surah } : undefined;
      },
    },
    streams: {
      check: async (field, url) => {
        if (url.includes("localhost")) throw invalidField(field, "must lead to a public address");
      },
    },
    favorites: {
      list: () => [
        { id: 1, type: "surah", reciter: "Husary", surah: 5, url: "", name: "", available: true, ...NEVER },
        {
          id: 2,
          type: "stream",
          reciter: "",
          surah: 0,
          url: "http://two.example/",
          name: "2",
          available: true,
          ...NEVER,
        },
      ],
    },
    stations: {
      find: (id) =>
        id === 7 ? { id, name: "Seven", url: "http://seven.example/", last_played: null, last_ok: null } : undefined,
    },
    settings: bench.settings,
  });
  return { ...bench, bench, targets };
}

const track = ({ playback }: Pick<PlaybackBench, "playback">) => playback.status().source;

describe("running a target", () => {
  it.each<[Target, unknown]>([
    [
      { type: "surah", reciter: "Husary", surah: 2 },
      { type: "surah", reciter: "Husary", surah: 2 },
    ],
    [
      { type: "stream", url: "http://one.example/", name: "One" },
      { type: "stream", url: "http://one.example/", name: "" },
    ],
    [
      { type: "station", id: 7 },
      { type: "stream", url: "http://seven.example/", name: "" },
    ],
    [
      { type: "favorite", id: 1 },
      { type: "surah", reciter: "Husary", surah: 5 },
    ],
    [
      { type: "favorite", id: 2 },
      { type: "stream", url: "http://two.example/", name: "" },
    ],
    [
      { type: "file", path: "azan.mp3" },
      { type: "file", path: "azan.mp3" },
    ],
  ])("runs %j by playing %j", async (target, source) => {
    const { targets, playback } = setUp();
    await targets.run(target);
    expect(playback.status()).toMatchObject({ state: "playing", source });
  });

  it("sets the volume and the mode of the target; the caller's volume has priority", async () => {
    const { targets, playback } = setUp();
    const target = { type: "surah", reciter: "Husary", surah: 2, volume: 30, mode: { mode: "repeat_one" } } as const;
    await targets.run(target);
    expect(playback.status()).toMatchObject({ volume: 30, advance_mode: "repeat_one" });
    await targets.run(target, { volume: 60 });
    expect(playback.status().volume).toBe(60);
  });

  it.each([
    ["a drill that was left on", { mode: "hifz_repeat" }],
    ["any other mode", { mode: "continuous" }],
  ] as const)("starts with mode off, whatever is set: %s", async (_what, mode) => {
    const { targets, playback } = setUp();
    playback.setMode(mode);
    await targets.run({ type: "surah", reciter: "Husary", surah: 2 });
    expect(playback.status().advance_mode).toBe("off");
  });

  it("keeps the mode of what it continues", async () => {
    const { targets, playback, bench } = setUp();
    await playback.play({ path: "Husary/002.mp3" });
    flow(bench, 20_000);
    playback.setMode({ mode: "hifz_repeat" });
    playback.pause();
    await targets.run({ type: "resume" });
    expect(playback.status()).toMatchObject({ state: "playing", advance_mode: "hifz_repeat" });
  });

  it("begins a surah at its beginning, or where it was left", async () => {
    const { targets, playback, bench } = setUp();
    const target = { type: "surah", reciter: "Husary", surah: 2 } as const;
    await targets.run(target);
    flow(bench, 44_000);
    await targets.run({ type: "surah", reciter: "Husary", surah: 5 });
    flow(bench, 0);
    await targets.run(target, { continues: true });
    expect(playback.status()).toMatchObject({ surah_number: 2, position: 42_000 });
    await targets.run(target);
    expect(playback.status()).toMatchObject({ surah_number: 2, position: 0 });
  });

  it("limits the volume to the device's limit", async () => {
    const { targets, playback, settings } = setUp();
    settings.change({ max_volume: 40 });
    await targets.run({ type: "file", path: "azan.mp3", volume: 90 });
    expect(playback.status().volume).toBe(40);
    playback.setVolume(10);
    await targets.run({ type: "command", command: "volume", value: 90 });
    expect(playback.status().volume).toBe(40);
  });

  it("fades in when requested", async () => {
    const { targets, engine, clock } = setUp();
    await targets.run({ type: "file", path: "azan.mp3" }, { volume: 60, fadeInS: 30 });
    expect(engine.commands.at(-1)).toBe("volume 0");
    await clock.advance(15_000);
    expect(engine.commands.at(-1)).toBe("volume 30");
    await clock.advance(15_000);
    expect(engine.commands.at(-1)).toBe("volume 60");
  });

  it("names what is missing by field and code", async () => {
    const { targets } = setUp();
    const surah = { type: "surah", reciter: "Husary", surah: 3 } as const;
    await expect(targets.run(surah)).rejects.toMatchObject({ field: "target", code: "file_missing" });
    const station = targets.check("binding", { type: "station", id: 8 });
    await expect(station).rejects.toMatchObject({ field: "binding.id", code: "target_missing" });
    const file = targets.check("binding", { type: "file", path: "none.mp3" });
    await expect(file).rejects.toMatchObject({ field: "binding.path", code: "file_missing" });
  });

  it("changes nothing when its source is missing", async () => {
    const { targets, playback } = setUp();
    const missing = { type: "surah", reciter: "Husary", surah: 3, volume: 90 } as const;
    await expect(targets.run(missing)).rejects.toThrow("target: surah 3 of 'Husary' is not on the card");
    await expect(targets.run({ type: "station", id: 8 })).rejects.toThrow("target.id: station '8' does not exist");
    await expect(targets.run({ type: "favorite", id: 3 })).rejects.toThrow("target.id: favorite '3' does not exist");
    const steps: Target = { type: "sequence", steps: [{ type: "command", command: "sleep_timer", value: 5 }, missing] };
    await expect(targets.run(steps, { volume: 90 })).rejects.toThrow("target: surah 3");
    expect(playback.status()).toMatchObject({ state: "stopped", volume: 50 });
  });

  it("resumes what is paused, or else what was playing last, and leaves a playing source unchanged", async () => {
    const { targets, playback, bench } = setUp();
    await expect(targets.run({ type: "resume" })).rejects.toThrow("position: none is saved");
    await playback.play({ path: "Husary/002.mp3" });
    flow(bench, 44_000);
    const loads = bench.engine.loads.length;
    await targets.run({ type: "resume" });
    expect(bench.engine.loads).toHaveLength(loads);
    playback.pause();
    await targets.run({ type: "resume" });
    expect(playback.status()).toMatchObject({ state: "playing", position: 44_000 });
    playback.stop();
    await targets.run({ type: "resume" });
    expect(playback.status()).toMatchObject({ state: "playing", surah_number: 2, position: 42_000 });
  });

  it("executes every command", async () => {
    const { targets, playback, bench } = setUp();
    await playback.play({ path: "Husary/002.mp3" });
    flow(bench, 20_000);
    const state = () => playback.status().state;
    const seen: string[] = [];
    for (const command of ["toggle", "toggle", "pause", "toggle", "stop", "toggle"] as const) {
      await targets.run({ type: "command", command });
      seen.push(state());
    }
    expect(seen).toEqual(["paused", "playing", "paused", "playing", "stopped", "playing"]);
    await targets.run({ type: "command", command: "next" });
    expect(playback.status().surah_number).toBe(5);
    await targets.run({ type: "command", command: "prev" });
    expect(playback.status().surah_number).toBe(2);
    await targets.run({ type: "command", command: "volume", value: 12 });
    await targets.run({ type: "command", command: "mode", value: { mode: "continuous" } });
    await targets.run({ type: "command", command: "sleep_timer", value: 5 });
    expect(playback.status()).toMatchObject({ volume: 12, advance_mode: "continuous", sleep_timer_s: 300 });
  });

  it("pauses a buffering source on toggle", async () => {
    const { targets, playback, clock } = setUp();
    await playback.play({ url: "http://one.example/" });
    await clock.advance(MINUTE);
    expect(playback.status().state).toBe("buffering");
    await targets.run({ type: "command", command: "toggle" });
    expect(playback.status().state).toBe("paused");
  });

  it("runs the steps of a sequence in order, and applies the options to the last one", async () => {
    const bench = setUp();
    await bench.targets.run(
      {
        type: "sequence",
        steps: [
          { type: "command", command: "mode", value: { mode: "hifz_repeat", repeat: 3 } },
          { type: "command", command: "sleep_timer", value: 30 },
          { type: "surah", reciter: "Husary", surah: 114 },
        ],
      },
      { volume: 25 },
    );
    expect(track(bench)).toEqual({ type: "surah", reciter: "Husary", surah: 114 });
    expect(bench.playback.status()).toMatchObject({ advance_mode: "hifz_repeat", sleep_timer_s: 1800, volume: 25 });
  });
});

describe("checking a target", () => {
  it.each<[Target, string]>([
    [{ type: "station", id: 8 }, "binding.id: station '8' does not exist"],
    [{ type: "favorite", id: 8 }, "binding.id: favorite '8' does not exist"],
    [{ type: "file", path: "no.mp3" }, "binding.path: there is no such file or folder on the card"],
    [{ type: "stream", url: "http://localhost/", name: "" }, "binding.url: must lead to a public address"],
    [
      { type: "resume", mode: { mode: "hifz_ab", ab: { from: 9, to: 1 } } },
      "binding.mode.ab.from: must not be greater than ab.to",
    ],
    [{ type: "command", command: "mode", value: { mode: "hifz_ab" } }, "binding.value.ab: is required"],
    [
      {
        type: "sequence",
        steps: [
          { type: "command", command: "stop" },
          { type: "station", id: 8 },
        ],
      },
      "binding.steps.1.id: station '8' does not exist",
    ],
  ])("refuses %j", async (target, message) => {
    const { targets } = setUp();
    await expect(targets.check("binding", target)).rejects.toThrow(message);
  });

  it.each<Target>([
    { type: "station", id: 7 },
    { type: "favorite", id: 2 },
    { type: "file", path: "azan.mp3" },
    { type: "stream", url: "http://one.example/", name: "" },
    { type: "surah", reciter: "Unknown", surah: 1 },
    { type: "resume" },
    { type: "sequence", steps: [{ type: "command", command: "stop" }] },
  ])("accepts %j", async (target) => {
    const { targets, playback } = setUp();
    await targets.check("binding", target);
    expect(playback.status().state).toBe("stopped");
  });
});

import type { PlaybackStatus } from "@player/service/contract/playback";
import { describe, expect, it } from "vitest";
import { createHandClock } from "../../../testing/manual-clock.ts";
import { createHandSockets } from "../../../testing/manual-socket.ts";
import { createLive } from "./live.ts";

const STATUS: Partial<PlaybackStatus> = { state: "playing", position: 1000, duration: 60_000, volume: 50 };

function start() {
  const clock = createHandClock();
  const sockets = createHandSockets();
  const asked: string[] = [];
  const api = {
    get: (path: string) => {
      asked.push(path);
      return Promise.reject(new Error("not asked here"));
    },
  };
  const live = createLive({ api, openSocket: () => sockets.open(), after: clock.after, nowMs: clock.nowMs });
  const hello = (ts = clock.nowMs()) =>
    sockets.say("hello", { version: "1.2.3", boot_id: "b", playback: STATUS, settings: { volume: 50 } }, ts);
  return { clock, sockets, asked, live, hello };
}

describe("live", () => {
  it("starts with the state in the hello frame", () => {
    const { live, hello } = start();
    expect(live.playback.view.value).toBeUndefined();
    hello();
    expect(live.version.value).toBe("1.2.3");
    expect(live.playback.view.value).toMatchObject(STATUS);
  });

  it("follows each event", () => {
    const { live, sockets, hello } = start();
    hello();
    sockets.say("volume", { volume: 7 });
    sockets.say("position", { position: 5000, duration: 61_000 });
    sockets.say("metadata", { title: "News" });
    sockets.say("mode", {
      mode: "hifz_repeat",
      hifz: { repeat_done: 0, repeat_target: 3, pause_s: 2, waiting: false },
    });
    sockets.say("hifz", { phase: "gap", repeat_done: 1, repeat_target: 3, pause_s: 2, waiting: true });
    expect(live.playback.view.value).toMatchObject({
      volume: 7,
      position: 5000,
      duration: 61_000,
      title: "News",
      advance_mode: "hifz_repeat",
      hifz: { repeat_done: 1, waiting: true },
    });
    sockets.say("mode", { mode: "off" });
    expect(live.playback.view.value).toMatchObject({ advance_mode: "off" });
    expect(live.playback.view.value).not.toHaveProperty("hifz");
  });

  it("records the time of a position, so that the page can extrapolate", () => {
    const { clock, live, sockets, hello } = start();
    hello();
    clock.pass(4000);
    sockets.say("metadata", { title: "x" });
    expect(clock.nowMs() - live.positionAtMs.value).toBe(4000);
    sockets.say("position", { position: 5000, duration: 60_000 });
    expect(live.positionAtMs.value).toBe(clock.nowMs());
  });

  it("uses the device's clock, whatever this browser's clock shows", () => {
    const { clock, live, hello } = start();
    hello(5_000_000_000);
    clock.pass(1500);
    expect(live.deviceNowMs()).toBe(5_000_001_500);
  });

  it("loads a list only while it is watched, again after a change and after every reconnect", () => {
    const { clock, sockets, asked, live, hello } = start();
    hello();
    expect(asked).toEqual([]);
    const stop = live.favorites.watch();
    sockets.say("favorites", { action: "added", id: 1, count: 1 });
    sockets.say("stations", { action: "added", id: 1, count: 1 });
    sockets.drop();
    clock.pass(500);
    hello();
    expect(asked).toEqual(["/favorites", "/favorites", "/favorites"]);
    stop();
    sockets.say("favorites", { action: "removed", id: 1, count: 0 });
    expect(asked).toHaveLength(3);
  });

  it("passes every frame to its listeners, including unknown types", () => {
    const { sockets, live } = start();
    const playing: string[] = [];
    const stop = live.onFrame(({ type }) => playing.push(type));
    sockets.say("adhan", { phase: "started", prayer: "asr" });
    sockets.say("something_new", {});
    stop();
    sockets.say("error", { code: "x", message: "y" });
    expect(playing).toEqual(["adhan", "something_new"]);
  });
});

import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it } from "vitest";
import type { MpvCommand, MpvEvent, MpvIpc, MpvReply } from "./mpv-ipc.ts";
import { createMpvPlayback, type LoadEvent } from "./mpv-playback.ts";
import { createPlayhead } from "./playhead.ts";

const SOURCE = { location: "/card/001.mp3", positionMs: 0, isPaused: false, isLive: false };

/** An mpv that plays its first load and answers every request. */
async function startPlaying() {
  const clock = createFakeClock();
  const events: LoadEvent[] = [];
  const answers: Record<string, unknown> = { "time-pos": 3, "paused-for-cache": false };
  let emit: (event: MpvEvent) => void = () => undefined;
  const ipc: MpvIpc = {
    request: async (name, property) => (name === "get_property" ? answers[String(property)] : undefined),
    send: (_command, onAnswer) => onAnswer({ data: { playlist_entry_id: 1 } }),
    onEvent: (listener) => {
      emit = listener;
      return () => undefined;
    },
  };
  const playback = createMpvPlayback(ipc, createPlayhead(clock), clock);
  playback.observe();
  playback.load(1, SOURCE, (event) => events.push(event));
  emit({ event: "start-file", playlist_entry_id: 1 });
  emit({ event: "playback-restart" });
  await clock.advance(0);
  expect(events).toEqual([]);
  emit({ event: "property-change", name: "core-idle", data: false });
  await clock.advance(0);
  expect(events.splice(0)).toEqual([{ type: "flowing", load: 1 }]);
  return { playback, clock, events, answers, emit };
}

/** An mpv that answers a load with this, and never begins to play. */
function startMute(reply: MpvReply, source = SOURCE) {
  const clock = createFakeClock();
  const events: LoadEvent[] = [];
  const sent: MpvCommand[] = [];
  const ipc: MpvIpc = {
    request: async () => undefined,
    send: (command, onAnswer) => {
      sent.push(command);
      onAnswer(reply);
    },
    onEvent: () => () => undefined,
  };
  const playback = createMpvPlayback(ipc, createPlayhead(clock), clock);
  playback.observe();
  playback.load(1, source, (event) => events.push(event));
  const beatFor = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      await clock.advance(1000);
      await playback.beat();
    }
  };
  return { playback, events, sent, beatFor };
}

describe("a load", () => {
  // In mpv 0.38 the options have another position than before; by name they are the same in all versions.
  it("a load is sent with named arguments, because their positions differ between versions of mpv", () => {
    const { sent } = startMute({ data: { playlist_entry_id: 1 } }, { ...SOURCE, positionMs: 1500 });
    const options = "cache=no,start=1.500";
    expect(sent).toEqual([{ name: "loadfile", url: "/card/001.mp3", flags: "replace", options }]);
  });

  it("fails when mpv refuses it", () => {
    const { events } = startMute({ refusal: "invalid parameter" });
    expect(events).toEqual([{ type: "failed", load: 1, why: "mpv: invalid parameter" }]);
  });

  it("fails after ten seconds in which it neither sounded nor failed", async () => {
    const { events, beatFor } = startMute({ data: { playlist_entry_id: 1 } });
    await beatFor(10);
    expect(events).toEqual([]);
    await beatFor(1);
    expect(events).toEqual([{ type: "failed", load: 1, why: "it does not begin to sound" }]);
    await beatFor(20);
    expect(events).toHaveLength(1);
  });

  it.each([
    ["is paused", { isPaused: true }],
    ["is live and may wait for its network", { isLive: true }],
  ])("a load that %s has no such limit", async (_name, how) => {
    const { events, beatFor } = startMute({ data: { playlist_entry_id: 1 } }, { ...SOURCE, ...how });
    await beatFor(60);
    expect(events).toEqual([]);
  });

  it("a load has ten seconds again after it is resumed", async () => {
    const { events, playback, beatFor } = startMute({ data: { playlist_entry_id: 1 } }, { ...SOURCE, isPaused: true });
    await beatFor(60);
    playback.resume();
    await beatFor(10);
    expect(events).toEqual([]);
    await beatFor(1);
    expect(events).toHaveLength(1);
  });
});

describe("mpv playback", () => {
  const underrun = { event: "log-message", text: "Audio device underrun detected.\n" };

  it("reports an underrun of the audio device", async () => {
    const { emit, events, clock } = await startPlaying();
    emit(underrun);
    await clock.advance(0);
    expect(events).toEqual([{ type: "underrun", load: 1 }]);
  });

  it("reports a starving source as silent, not as an underrun", async () => {
    const { emit, events, answers, clock } = await startPlaying();
    answers["paused-for-cache"] = true;
    emit(underrun);
    await clock.advance(0);
    emit({ event: "property-change", name: "core-idle", data: true });
    emit({ event: "property-change", name: "paused-for-cache", data: true });
    await clock.advance(0);
    expect(events).toEqual([{ type: "silent", load: 1 }]);
  });

  it("flows again after a pause for which mpv emitted no event", async () => {
    const { playback, events, clock } = await startPlaying();
    playback.pause();
    playback.resume();
    await clock.advance(0);
    expect(events).toEqual([{ type: "flowing", load: 1 }]);
  });

  it("continues after a seek that mpv does not perform", async () => {
    const { playback, events, clock } = await startPlaying();
    playback.seek(9000);
    await playback.beat();
    await clock.advance(0);
    expect(events).toEqual([{ type: "flowing", load: 1 }]);
  });

  it("waits for the audio after a seek that mpv performs", async () => {
    const { playback, emit, events, clock } = await startPlaying();
    playback.seek(9000);
    emit({ event: "property-change", name: "core-idle", data: false });
    await clock.advance(0);
    emit({ event: "seek" });
    await clock.advance(0);
    expect(events).toEqual([]);
    emit({ event: "playback-restart" });
    await clock.advance(0);
    expect(events).toEqual([{ type: "flowing", load: 1 }]);
  });

  it("ignores messages about another load", async () => {
    const { emit, events, clock } = await startPlaying();
    emit({ event: "end-file", reason: "error", playlist_entry_id: 7 });
    emit({ event: "end-file", reason: "quit", playlist_entry_id: 1 });
    await clock.advance(0);
    expect(events).toEqual([]);
  });
});

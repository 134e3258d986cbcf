import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it } from "vitest";
import type { MpvEvent, MpvIpc } from "./mpv-ipc.ts";
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
    send: (_command, onAnswer) => onAnswer({ playlist_entry_id: 1 }),
    onEvent: (listener) => {
      emit = listener;
      return () => undefined;
    },
  };
  const playback = createMpvPlayback(ipc, createPlayhead(clock));
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

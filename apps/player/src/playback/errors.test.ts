import { describe, expect, it } from "vitest";
import { STOPPED } from "../../testing/playback-status.ts";
import { createEvents } from "../events.ts";
import { createLastError } from "../live/last-error.ts";
import { errorAfterEvent, errorAfterStatus } from "./errors.ts";
import type { PlaybackStatus } from "./playback.schema.ts";

const surah = (number: number, state: PlaybackStatus["state"] = "playing"): PlaybackStatus => ({
  ...STOPPED,
  state,
  mode: "file",
  track: `Husary/${number}.mp3`,
  surah_number: number,
  source: { type: "surah", reciter: "Husary", surah: number },
});
const ADHAN: PlaybackStatus = { ...surah(18), track: "adhan.mp3", surah_number: 0 };

describe("an error of playback", () => {
  it("lasts while nothing plays, and ends with the next source", () => {
    const kept = errorAfterEvent(undefined, "file", surah(50, "stopped"));
    expect(errorAfterStatus(kept, surah(50, "stopped"))?.code).toBe("file");
    expect(errorAfterStatus(kept, surah(36))).toBeUndefined();
    expect(errorAfterStatus(kept, surah(50))).toBeUndefined();
  });

  it("lasts while the same source goes on, paused or not", () => {
    const kept = errorAfterEvent(undefined, "storage", surah(18));
    const paused = errorAfterStatus(kept, surah(18, "paused"));
    expect(errorAfterStatus(paused, surah(18))?.code).toBe("storage");
    expect(errorAfterStatus(paused, surah(19))).toBeUndefined();
  });

  it("survives an adhan", () => {
    const kept = errorAfterEvent(undefined, "adhan", surah(18));
    expect(errorAfterStatus(errorAfterStatus(kept, ADHAN), surah(18))?.code).toBe("adhan");
  });

  it("ends when the same source is started again after a stop", () => {
    const kept = errorAfterEvent(undefined, "audio", surah(18));
    expect(errorAfterStatus(errorAfterStatus(kept, surah(18, "stopped")), surah(18))).toBeUndefined();
  });

  it("an error of playback is replaced by a newer one, but not by one that is not about what plays", () => {
    const card = errorAfterEvent(undefined, "card", STOPPED);
    expect(errorAfterEvent(card, "stream", STOPPED)?.code).toBe("stream");
    expect(errorAfterEvent(card, "token", STOPPED)?.code).toBe("card");
  });
});

it("keeps the last error for a client that connects later", () => {
  const events = createEvents();
  let status = surah(50);
  const lastError = createLastError({ events, status: () => status });
  const play = (next: PlaybackStatus) => {
    status = next;
    events.emit("playback", next);
  };
  expect(lastError.current()).toBeUndefined();
  play(surah(50, "stopped"));
  events.emit("error", { code: "file", message: "track: no audio in it" });
  events.emit("volume", { volume: 3 });
  expect(lastError.current()).toBe("file");
  play(surah(36));
  expect(lastError.current()).toBeUndefined();
});

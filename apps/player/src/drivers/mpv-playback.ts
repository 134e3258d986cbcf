import type { Clock } from "@kit/clock";
import type { EngineEvent, EngineSource, Place } from "../playback/audio-engine.ts";
import type { MpvEvent, MpvIpc } from "./mpv-ipc.ts";
import type { Playhead } from "./playhead.ts";

export type LoadEvent = Extract<EngineEvent, { load: number }>;

interface LoadedSource {
  load: number;
  source: EngineSource;
  emit: (event: LoadEvent) => void;
  isPaused: boolean;
  isFlowing: boolean;
  isAsking: boolean;
  /** mpv's own number of this load, as soon as it is known. */
  entryId?: number | undefined;
  /** Since when it should be audible. */
  sinceMs: number;
}

/** mpv's message for an output that cannot be opened. */
export const OUTPUT_FAILED = "audio output initialization failed";

/** How the reason begins when mpv refuses the command itself. */
export const REFUSED = "mpv: ";

// A file that neither sounds nor fails for this long is treated as failed. A live source may wait for its network.
const BEGIN_TIMEOUT_MS = 10_000;
const UNDERRUN = "Audio device underrun detected.";
// Starts only when two seconds are buffered. A file is read from the card on demand.
const LIVE = "cache=yes,cache-pause=yes,cache-pause-initial=yes,cache-pause-wait=2";
const FILE = "cache=no";

/** Playback in one mpv process: converts its messages into the events of the current load. */
export type MpvPlayback = ReturnType<typeof createMpvPlayback>;

export function createMpvPlayback(
  { request, send, onEvent }: MpvIpc,
  playhead: Playhead,
  clock: Pick<Clock, "monotonicMs">,
) {
  // The state that mpv has reported. Messages about a former load arrive late, so each is matched by its number.
  const mpv = { entryId: -1, isOpen: false, hasRestarted: false, isIdle: true, isStarved: false };
  let current: LoadedSource | undefined;
  // Incremented whenever the sound is interrupted: an answer to a request of an earlier turn is stale.
  let turn = 0;

  function interrupt(): void {
    turn += 1;
    playhead.stand();
    if (current) current.isFlowing = false;
  }

  function begin(load: number, source: EngineSource, emit: LoadedSource["emit"]): void {
    const sinceMs = clock.monotonicMs();
    const mine: LoadedSource = {
      load,
      source,
      emit,
      isPaused: source.isPaused,
      isFlowing: false,
      isAsking: false,
      sinceMs,
    };
    interrupt();
    current = mine;
    // Pause first and resume last, so that neither the former nor the new source is audible for a moment.
    if (source.isPaused) void request("set_property", "pause", true);
    const loading = { name: "loadfile", url: source.location, flags: "replace", options: buildLoadOptions(source) };
    send(loading, ({ data, refusal }) => {
      mine.entryId = parseEntryId(data);
      if (refusal !== undefined) fail(mine, `${REFUSED}${refusal}`);
    });
    if (!source.isPaused) void request("set_property", "pause", false);
  }

  function fail(mine: LoadedSource, why: string): void {
    if (current !== mine) return;
    interrupt();
    current = undefined;
    mine.emit({ type: "failed", load: mine.load, why });
  }

  function isSounding(mine: LoadedSource): boolean {
    const isPlaying = mpv.entryId === mine.entryId && mpv.hasRestarted;
    return isPlaying && !mpv.isIdle && !mpv.isStarved && !mine.isPaused;
  }

  function review(): void {
    const mine = current;
    if (!mine) return;
    if (mine.isFlowing && mpv.isStarved) {
      interrupt();
      mine.emit({ type: "silent", load: mine.load });
    }
    if (!mine.isFlowing && !mine.isAsking && isSounding(mine)) void confirm(mine);
  }

  /** Audio runs, so mpv can report the position; emit "flowing" only then. */
  async function confirm(mine: LoadedSource): Promise<void> {
    const asked = turn;
    mine.isAsking = true;
    const place = await askPlace(mine);
    mine.isAsking = false;
    if (asked !== turn) return review();
    if (!place || !isSounding(mine)) return;
    playhead.run(place);
    mine.isFlowing = true;
    mine.emit({ type: "flowing", load: mine.load });
  }

  async function askPlace({ source }: LoadedSource): Promise<Place | undefined> {
    const asked = turn;
    const [position, duration] = await Promise.all([
      request("get_property", "time-pos"),
      request("get_property", "duration"),
    ]);
    if (asked !== turn || typeof position !== "number") return undefined;
    // For a live source mpv reports what has arrived so far as the duration.
    const durationMs = source.isLive || typeof duration !== "number" ? 0 : duration * 1000;
    return { positionMs: position * 1000, durationMs };
  }

  async function reportUnderrun(mine: LoadedSource): Promise<void> {
    const asked = turn;
    // A starving source also causes underruns; it is reported as silence instead.
    const isStarved = await request("get_property", "paused-for-cache");
    if (asked === turn && mine.isFlowing && isStarved === false) mine.emit({ type: "underrun", load: mine.load });
  }

  function finish({ playlist_entry_id, reason, file_error }: MpvEvent): void {
    if (!current || current.entryId !== playlist_entry_id) return;
    if (reason !== "eof" && reason !== "error") return;
    const { load, source, emit } = current;
    interrupt();
    current = undefined;
    if (reason === "eof" && !source.isLive) playhead.stand(playhead.place().durationMs);
    emit(reason === "eof" ? { type: "ended", load } : { type: "failed", load, why: file_error ?? "it cannot be read" });
  }

  function read(message: MpvEvent): void {
    switch (message.event) {
      case "start-file":
        mpv.entryId = message.playlist_entry_id ?? -1;
        mpv.isOpen = false;
        mpv.hasRestarted = false;
        break;
      case "seek":
        mpv.hasRestarted = false;
        interrupt();
        break;
      case "playback-restart":
        mpv.isOpen = true;
        mpv.hasRestarted = true;
        break;
      case "property-change":
        if (message.name === "core-idle") mpv.isIdle = message.data !== false;
        if (message.name === "paused-for-cache") mpv.isStarved = message.data === true;
        break;
      case "log-message":
        if (current && message.text?.startsWith(UNDERRUN)) void reportUnderrun(current);
        break;
      case "end-file":
        finish(message);
        break;
    }
    review();
  }

  return {
    /** Subscribes to the messages of mpv that this module needs. */
    observe(): void {
      onEvent(read);
      void request("observe_property", 1, "core-idle");
      void request("observe_property", 2, "paused-for-cache");
      void request("request_log_messages", "warn");
    },

    load: begin,

    pause(): void {
      if (!current) return;
      interrupt();
      current.isPaused = true;
      void request("set_property", "pause", true);
    },

    resume(): void {
      if (!current?.isPaused) return;
      current.isPaused = false;
      current.sinceMs = clock.monotonicMs();
      // mpv emits no event for a pause that ended before mpv processed it.
      void request("set_property", "pause", false).then(review);
    },

    seek(positionMs: number): void {
      if (!current || current.source.isLive) return;
      const { load, source, emit, isPaused, entryId } = current;
      // A source that is not open yet cannot be seeked: open it at the new position.
      if (mpv.entryId !== entryId || !mpv.isOpen) {
        begin(load, { ...source, positionMs, isPaused }, emit);
        return;
      }
      interrupt();
      current.sinceMs = clock.monotonicMs();
      playhead.stand(positionMs);
      mpv.hasRestarted = false;
      void request("seek", positionMs / 1000, "absolute+exact");
    },

    stop(): void {
      interrupt();
      current = undefined;
      void request("stop");
    },

    /** Corrects the position. The request also proves that mpv is alive. */
    async beat(): Promise<void> {
      const mine = current;
      if (!mine || mine.isPaused) return;
      const place = await askPlace(mine);
      if (place) {
        if (mine.isFlowing) playhead.run(place);
        // mpv emits no event for a seek that it did not perform, and the sound continues.
        mpv.hasRestarted = mpv.isOpen;
        review();
      }
      const isLate = clock.monotonicMs() - mine.sinceMs > BEGIN_TIMEOUT_MS;
      if (isLate && !mine.isFlowing && !mine.isPaused && !mine.source.isLive) fail(mine, "it does not begin to sound");
    },
  };
}

function buildLoadOptions({ isLive, positionMs }: EngineSource): string {
  if (isLive) return LIVE;
  return positionMs > 0 ? `${FILE},start=${(positionMs / 1000).toFixed(3)}` : FILE;
}

function parseEntryId(answer: unknown): number | undefined {
  if (typeof answer !== "object" || answer === null || !("playlist_entry_id" in answer)) return undefined;
  return typeof answer.playlist_entry_id === "number" ? answer.playlist_entry_id : undefined;
}

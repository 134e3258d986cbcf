import type { EngineEvent, EngineSource, Place } from "../playback/audio-engine.ts";
import type { MpvEvent, MpvIpc } from "./mpv-ipc.ts";
import type { Playhead } from "./playhead.ts";

export type LoadEvent = Extract<EngineEvent, { load: number }>;

interface Loaded {
  load: number;
  source: EngineSource;
  emit: (event: LoadEvent) => void;
  isPaused: boolean;
  isFlowing: boolean;
  isAsking: boolean;
  /** mpv's own number of this load, as soon as it is known. */
  entryId?: number | undefined;
}

/** mpv's words for an output that cannot be opened. */
export const OUTPUT_FAILED = "audio output initialization failed";

const UNDERRUN = "Audio device underrun detected.";
// Goes on only when two seconds are buffered. A file is read from the card as it is needed.
const LIVE = "cache=yes,cache-pause=yes,cache-pause-initial=yes,cache-pause-wait=2";
const FILE = "cache=no";

/** What one run of mpv plays: turns its messages into the events of the current load. */
export type MpvPlayback = ReturnType<typeof createMpvPlayback>;

export function createMpvPlayback({ request, send, onEvent }: MpvIpc, playhead: Playhead) {
  // What mpv has told of itself. Messages about a former load come late, hence the number.
  const mpv = { entryId: -1, isOpen: false, hasRestarted: false, isIdle: true, isStarved: false };
  let current: Loaded | undefined;
  // Another one whenever the sound is interrupted: an answer that was asked for in an earlier one is stale.
  let turn = 0;

  function interrupt(): void {
    turn += 1;
    playhead.stand();
    if (current) current.isFlowing = false;
  }

  function begin(load: number, source: EngineSource, emit: Loaded["emit"]): void {
    const mine: Loaded = { load, source, emit, isPaused: source.isPaused, isFlowing: false, isAsking: false };
    interrupt();
    current = mine;
    // Pausing comes first and resuming last: neither the former source nor the new one is heard for a moment.
    if (source.isPaused) void request("set_property", "pause", true);
    send(["loadfile", source.location, "replace", buildLoadOptions(source)], (answer) => {
      mine.entryId = parseEntryId(answer);
    });
    if (!source.isPaused) void request("set_property", "pause", false);
  }

  function isSounding(mine: Loaded): boolean {
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

  /** Sound runs, so mpv can tell where; only then is it told to others. */
  async function confirm(mine: Loaded): Promise<void> {
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

  async function askPlace({ source }: Loaded): Promise<Place | undefined> {
    const asked = turn;
    const [position, duration] = await Promise.all([
      request("get_property", "time-pos"),
      request("get_property", "duration"),
    ]);
    if (asked !== turn || typeof position !== "number") return undefined;
    // mpv calls what has arrived so far the duration of a live source.
    const durationMs = source.isLive || typeof duration !== "number" ? 0 : duration * 1000;
    return { positionMs: position * 1000, durationMs };
  }

  async function reportUnderrun(mine: Loaded): Promise<void> {
    const asked = turn;
    // A source that starves runs dry as well; that is told as silence.
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
    /** Makes mpv tell what this needs to know. */
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
      // mpv is silent about a pause that was over before it could tell.
      void request("set_property", "pause", false).then(review);
    },

    seek(positionMs: number): void {
      if (!current || current.source.isLive) return;
      const { load, source, emit, isPaused, entryId } = current;
      // What is not open yet cannot be sought in: it is opened there.
      if (mpv.entryId !== entryId || !mpv.isOpen) {
        begin(load, { ...source, positionMs, isPaused }, emit);
        return;
      }
      interrupt();
      playhead.stand(positionMs);
      mpv.hasRestarted = false;
      void request("seek", positionMs / 1000, "absolute+exact");
    },

    stop(): void {
      interrupt();
      current = undefined;
      void request("stop");
    },

    /** Corrects the place. Asking for it also shows that mpv is alive. */
    async beat(): Promise<void> {
      const mine = current;
      if (!mine || mine.isPaused) return;
      const place = await askPlace(mine);
      if (!place) return;
      if (mine.isFlowing) playhead.run(place);
      // A seek that mpv did not obey is followed by no word of it, and the sound went on.
      mpv.hasRestarted = mpv.isOpen;
      review();
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

import { invalidField, Problem } from "@kit/problem";
import type { FavoritesService } from "../favorites/favorites.service.ts";
import type { LibraryService } from "../library/library.service.ts";
import { parseAdvanceMode } from "../playback/advance.ts";
import type { Chooser, PlaybackService } from "../playback/playback.service.ts";
import type { StationsService } from "../radio/stations.service.ts";
import type { ModeRequest } from "../settings/advance-mode.schema.ts";
import type { SettingsService } from "../settings/settings.service.ts";
import type { StreamsService } from "../streams/streams.service.ts";
import type { CommandTarget, StartTarget, Step, Target } from "./target.schema.ts";

export interface TargetsService {
  /** Refuses an invalid target and names what is wrong below the given field. */
  check(field: string, target: Target): Promise<void>;
  /** Runs the target. A playable one plays at the given volume, or at its own, with a fade-in if requested. */
  run(target: Target, how?: RunManner): Promise<void>;
}

export interface RunManner {
  /** The clock waits for the end of an adhan; a person ends it. */
  by?: Chooser | undefined;
  volume?: number | undefined;
  fadeInS?: number | undefined;
  /** A file begins where it was left, not at its beginning. */
  continues?: boolean | undefined;
}

export interface TargetsServiceDeps {
  playback: Pick<
    PlaybackService,
    | "status"
    | "play"
    | "playSavedStream"
    | "playFile"
    | "continueFile"
    | "pause"
    | "resume"
    | "resumeSaved"
    | "stop"
    | "next"
    | "prev"
    | "setVolume"
    | "lendVolume"
    | "setMode"
    | "setSleepTimer"
    | "fadeIn"
    | "untilFree"
  >;
  library: Pick<LibraryService, "resolve" | "find">;
  streams: Pick<StreamsService, "check">;
  favorites: Pick<FavoritesService, "list">;
  stations: Pick<StationsService, "find">;
  settings: Pick<SettingsService, "get">;
}

export function createTargetsService(deps: TargetsServiceDeps): TargetsService {
  const { playback, library, streams, favorites, stations, settings } = deps;

  async function checkStep(field: string, step: Step): Promise<void> {
    if (step.type === "command") {
      if (step.command === "mode") checkMode(`${field}.value`, step.value);
      return;
    }
    if (step.mode) checkMode(`${field}.mode`, step.mode);
    switch (step.type) {
      case "stream":
        await streams.check(`${field}.url`, step.url);
        break;
      case "file":
        await below(field, () => library.resolve(step.path));
        break;
      case "station":
        if (!stations.find(step.id)) throw unknown(field, "station", step.id);
        break;
      case "favorite":
        if (!findFavorite(step.id)) throw unknown(field, "favorite", step.id);
        break;
      case "surah":
      case "resume":
        // The card may be inserted later, and a position saved later.
        break;
      default:
        step satisfies never;
    }
  }

  function findFavorite(id: number) {
    return favorites.list().find((favorite) => favorite.id === id);
  }

  async function runStep(step: Step, how: RunManner, keepsMode: boolean): Promise<void> {
    const { by = "person" } = how;
    if (by === "clock") await playback.untilFree();
    if (step.type === "command") {
      await runCommand(step, by);
      setVolume(how.volume, by);
      return;
    }
    await start(step, how);
    if (step.mode) playback.setMode(step.mode, true);
    else if (!keepsMode && step.type !== "resume") endMode();
    setVolume(how.volume ?? step.volume, by);
    if (how.fadeInS) playback.fadeIn(how.fadeInS);
  }

  /** If the limit was lowered after the target was saved, the target plays quieter instead of failing. */
  function setVolume(wanted: number | undefined, by: Chooser = "person"): void {
    if (wanted === undefined) return;
    if (by === "clock") playback.lendVolume(wanted);
    else playback.setVolume(Math.min(wanted, settings.get().max_volume));
  }

  /** A target does not take over a drill that was left on. */
  function endMode(): void {
    if (playback.status().advance_mode !== "off") playback.setMode({ mode: "off" });
  }

  async function start(target: StartTarget, how: RunManner): Promise<void> {
    const { by = "person" } = how;
    switch (target.type) {
      case "surah":
        await playSurah(target, how);
        break;
      case "stream":
        await playback.playSavedStream(target.url, by);
        break;
      case "station": {
        const station = stations.find(target.id);
        if (!station) throw unknown("target", "station", target.id);
        await playback.playSavedStream(station.url, by);
        break;
      }
      case "favorite": {
        const favorite = findFavorite(target.id);
        if (!favorite) throw unknown("target", "favorite", target.id);
        if (favorite.type === "surah") await playSurah(favorite, how);
        else await playback.playSavedStream(favorite.url, by);
        break;
      }
      case "file":
        await playFile(target.path, how);
        break;
      case "resume":
        await continuePlayback(by);
        break;
      default:
        target satisfies never;
    }
  }

  async function playSurah({ reciter, surah }: { reciter: string; surah: number }, how: RunManner): Promise<void> {
    const file = library.find(reciter, surah);
    if (!file)
      throw invalidField("target", `surah ${surah} of '${reciter}' is not on the card`, { code: "file_missing" });
    await playFile(file.path, how);
  }

  async function playFile(path: string, { by, continues }: RunManner): Promise<void> {
    if (continues) await playback.continueFile(path, by);
    else await playback.playFile(path, 0, by);
  }

  /** Resumes what is paused, or else what was playing last. */
  async function continuePlayback(by: Chooser): Promise<void> {
    const { state } = playback.status();
    if (state === "paused") playback.resume();
    if (state === "stopped") await playback.resumeSaved(by);
  }

  async function runCommand(target: CommandTarget, by: Chooser): Promise<void> {
    switch (target.command) {
      case "toggle":
        await toggle(by);
        break;
      case "pause":
        playback.pause();
        break;
      case "stop":
        playback.stop();
        break;
      case "next":
        await playback.next(by);
        break;
      case "prev":
        await playback.prev(by);
        break;
      case "volume":
        setVolume(target.value);
        break;
      case "mode":
        playback.setMode(target.value);
        break;
      case "sleep_timer":
        playback.setSleepTimer(target.value);
        break;
      default:
        target satisfies never;
    }
  }

  async function toggle(by: Chooser): Promise<void> {
    const { state } = playback.status();
    if (state === "playing" || state === "buffering") playback.pause();
    else await continuePlayback(by);
  }

  return {
    async check(field, target) {
      if (target.type !== "sequence") return checkStep(field, target);
      for (const [index, step] of target.steps.entries()) await checkStep(`${field}.steps.${index}`, step);
    },

    async run(target, how = {}) {
      const steps = target.type === "sequence" ? target.steps : [target];
      const keepsMode = steps.some((step) => step.type === "command" && step.command === "mode");
      for (const [index, step] of steps.entries()) {
        await runStep(step, index === steps.length - 1 ? how : { by: how.by }, keepsMode);
      }
    },
  };
}

function checkMode(field: string, mode: ModeRequest): void {
  try {
    parseAdvanceMode(mode);
  } catch (error) {
    throw belowField(field, error);
  }
}

async function below(field: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw belowField(field, error);
  }
}

/** The error message starts with its own field; prefix it with the parent field. */
function belowField(field: string, error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const { kind, message, code } = error;
  return new Problem(kind, `${field}.${message}`, {
    field: error.field && `${field}.${error.field}`,
    code,
    cause: error,
  });
}

function unknown(field: string, noun: string, id: number): Problem {
  return invalidField(`${field}.id`, `${noun} '${id}' does not exist`, { code: "target_missing" });
}

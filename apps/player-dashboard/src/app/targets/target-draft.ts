import type { ModeRequest } from "@player/service/contract/advance-mode";
import type { CommandTarget, StartTarget, Target } from "@player/service/contract/target";

/** `kept`: a target that the form cannot show and leaves unchanged. */
export type TargetKind = StartTarget["type"] | "command" | "kept";
type Command = CommandTarget["command"];
type Mode = ModeRequest["mode"];

/** A target in the form. It has the fields of all kinds, including those not chosen. */
export interface TargetDraft {
  kind: TargetKind;
  reciter: string;
  surah: number;
  stationId: number;
  favoriteId: number;
  path: string;
  url: string;
  name: string;
  command: Command;
  commandVolume: number;
  minutes: number;
  /** Undefined leaves the volume unchanged. */
  volume: number | undefined;
  mode: ModeDraft;
  kept: Target | undefined;
}

export interface ModeDraft {
  /** `same` leaves the mode unchanged. */
  mode: Mode | "same";
  repeat: number;
  pause_s: number;
  from: number;
  to: number;
}

/** What each part of the form receives. */
export interface DraftProps {
  draft: TargetDraft;
  change: (changed: Partial<TargetDraft>) => void;
}

const NO_MODE: ModeDraft = { mode: "same", repeat: 3, pause_s: 0, from: 78, to: 114 };

export const EMPTY_DRAFT: TargetDraft = {
  kind: "surah",
  reciter: "",
  surah: 0,
  stationId: 0,
  favoriteId: 0,
  path: "",
  url: "",
  name: "",
  command: "toggle",
  commandVolume: 30,
  minutes: 30,
  volume: undefined,
  // An active drill must not repeat what a card or a schedule starts.
  mode: { ...NO_MODE, mode: "off" },
  kept: undefined,
};

/** Builds the chosen target; undefined while a field is missing. */
export function buildTarget(draft: TargetDraft): Target | undefined {
  if (draft.kind === "kept") return draft.kept;
  if (draft.kind === "command") return buildCommand(draft);
  const start = buildStart(draft);
  const mode = isLive(draft.kind) && draft.mode.mode === "off" ? undefined : buildMode(draft.mode);
  return start && { ...start, ...(draft.volume !== undefined && { volume: draft.volume }), ...(mode && { mode }) };
}

/** A live stream has no end, so it does not need the mode that stops there. */
function isLive(kind: TargetKind): boolean {
  return kind === "station" || kind === "stream";
}

function buildStart({ kind, reciter, surah, stationId, favoriteId, path, url, name }: TargetDraft) {
  switch (kind) {
    case "surah":
      return reciter !== "" && surah > 0 ? { type: kind, reciter, surah } : undefined;
    case "station":
      return stationId > 0 ? { type: kind, id: stationId } : undefined;
    case "favorite":
      return favoriteId > 0 ? { type: kind, id: favoriteId } : undefined;
    case "file":
      return path !== "" ? { type: kind, path } : undefined;
    case "stream":
      return url.trim() !== "" ? { type: kind, url: url.trim(), name: name.trim() } : undefined;
    case "resume":
      return { type: kind };
    case "command":
    case "kept":
      return undefined;
    default:
      return kind satisfies never;
  }
}

function buildCommand({ command, commandVolume, minutes, mode }: TargetDraft): CommandTarget | undefined {
  switch (command) {
    case "volume":
      return { type: "command", command, value: commandVolume };
    case "sleep_timer":
      return { type: "command", command, value: minutes };
    case "mode": {
      const value = buildMode(mode);
      return value && { type: "command", command, value };
    }
    case "toggle":
    case "pause":
    case "stop":
    case "next":
    case "prev":
      return { type: "command", command };
    default:
      return command satisfies never;
  }
}

function buildMode({ mode, repeat, pause_s, from, to }: ModeDraft): ModeRequest | undefined {
  if (mode === "same") return undefined;
  if (mode === "hifz_repeat") return { mode, repeat, pause_s };
  if (mode === "hifz_ab") return { mode, repeat: Math.max(1, repeat), pause_s, ab: { from, to } };
  return { mode };
}

/** The form of an existing target. */
export function toTargetDraft(target: Target): TargetDraft {
  if (target.type === "sequence") return { ...EMPTY_DRAFT, kind: "kept", kept: target };
  if (target.type === "command") return { ...EMPTY_DRAFT, kind: "command", ...toCommandDraft(target) };
  const draft = { ...EMPTY_DRAFT, kind: target.type, volume: target.volume, mode: toModeDraft(target.mode) };
  switch (target.type) {
    case "surah":
      return { ...draft, reciter: target.reciter, surah: target.surah };
    case "station":
      return { ...draft, stationId: target.id };
    case "favorite":
      return { ...draft, favoriteId: target.id };
    case "file":
      return { ...draft, path: target.path };
    case "stream":
      return { ...draft, url: target.url, name: target.name };
    case "resume":
      return draft;
    default:
      return target satisfies never;
  }
}

function toCommandDraft(target: CommandTarget): Partial<TargetDraft> {
  switch (target.command) {
    case "volume":
      return { command: target.command, commandVolume: target.value };
    case "sleep_timer":
      return { command: target.command, minutes: target.value };
    case "mode":
      return { command: target.command, mode: toModeDraft(target.value) };
    case "toggle":
    case "pause":
    case "stop":
    case "next":
    case "prev":
      return { command: target.command };
    default:
      return target satisfies never;
  }
}

function toModeDraft(mode: ModeRequest | undefined): ModeDraft {
  if (!mode) return NO_MODE;
  const { repeat = mode.mode === "hifz_ab" ? 1 : 0, pause_s = 0, ab = NO_MODE } = mode;
  return { mode: mode.mode, repeat, pause_s, from: ab.from, to: ab.to };
}

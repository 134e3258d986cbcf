import Type, { type Static } from "typebox";
import { SleepTimerRequest, VolumeRequest } from "../playback/playback.schema.ts";
import { ModeRequest } from "../settings/advance-mode.schema.ts";

const { volume } = VolumeRequest.properties;
const { minutes } = SleepTimerRequest.properties;
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** Optional fields of every playable target: they stay in effect afterwards. */
const manner = { volume: Type.Optional(volume), mode: Type.Optional(ModeRequest) };
const command = Type.Literal("command");

/** What a card or a schedule can start by itself. */
export const PLAYABLE_TARGETS = {
  surah: Type.Object(
    {
      type: Type.Literal("surah"),
      reciter: Type.String({ minLength: 1, maxLength: 200 }),
      surah: Type.Integer({ minimum: 1, maximum: 114 }),
      ...manner,
    },
    { title: "SurahTarget" },
  ),
  stream: Type.Object(
    {
      type: Type.Literal("stream"),
      url: Type.String({ minLength: 1, maxLength: 1024 }),
      name: Type.String({ maxLength: 100, default: "" }),
      ...manner,
    },
    { title: "StreamTarget" },
  ),
  station: Type.Object({ type: Type.Literal("station"), id: Id, ...manner }, { title: "StationTarget" }),
  favorite: Type.Object({ type: Type.Literal("favorite"), id: Id, ...manner }, { title: "FavoriteTarget" }),
  file: Type.Object(
    {
      type: Type.Literal("file"),
      path: Type.String({ minLength: 1, maxLength: 4096 }),
      ...manner,
    },
    { title: "FileTarget" },
  ),
  resume: Type.Object({ type: Type.Literal("resume"), ...manner }, { title: "ResumeTarget" }),
} as const;

export const COMMAND_TARGETS = {
  toggle: Type.Object({ type: command, command: Type.Literal("toggle") }, { title: "ToggleCommand" }),
  pause: Type.Object({ type: command, command: Type.Literal("pause") }, { title: "PauseCommand" }),
  stop: Type.Object({ type: command, command: Type.Literal("stop") }, { title: "StopCommand" }),
  next: Type.Object({ type: command, command: Type.Literal("next") }, { title: "NextCommand" }),
  prev: Type.Object({ type: command, command: Type.Literal("prev") }, { title: "PreviousCommand" }),
  volume: Type.Object({ type: command, command: Type.Literal("volume"), value: volume }, { title: "VolumeCommand" }),
  mode: Type.Object({ type: command, command: Type.Literal("mode"), value: ModeRequest }, { title: "ModeCommand" }),
  sleep_timer: Type.Object(
    { type: command, command: Type.Literal("sleep_timer"), value: minutes },
    { title: "SleepTimerCommand" },
  ),
} as const;

const PLAYABLE = [
  PLAYABLE_TARGETS.surah,
  PLAYABLE_TARGETS.stream,
  PLAYABLE_TARGETS.station,
  PLAYABLE_TARGETS.favorite,
  PLAYABLE_TARGETS.file,
  PLAYABLE_TARGETS.resume,
] as const;
const COMMANDS = [
  COMMAND_TARGETS.toggle,
  COMMAND_TARGETS.pause,
  COMMAND_TARGETS.stop,
  COMMAND_TARGETS.next,
  COMMAND_TARGETS.prev,
  COMMAND_TARGETS.volume,
  COMMAND_TARGETS.mode,
  COMMAND_TARGETS.sleep_timer,
] as const;

export const MAX_STEPS = 8;
const Step = Type.Union([...PLAYABLE, ...COMMANDS]);
export type Step = Static<typeof Step>;

/** Everything that a card or a schedule can be bound to, in its stored form. `readTarget` reads it from a request. */
export const Target = Type.Union(
  [
    ...PLAYABLE,
    ...COMMANDS,
    Type.Object(
      { type: Type.Literal("sequence"), steps: Type.Array(Step, { minItems: 1, maxItems: MAX_STEPS }) },
      { title: "SequenceTarget" },
    ),
  ],
  { title: "Target" },
);
export type Target = Static<typeof Target>;

export type CommandTarget = Extract<Step, { type: "command" }>;
export type StartTarget = Exclude<Step, { type: "command" }>;

/** With a union in the request schema, removing unknown fields would also remove the fields of later kinds. */
export const TargetRequest = Type.Unknown({ description: "a Target; unknown fields are ignored" });

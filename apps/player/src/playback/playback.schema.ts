import Type, { type Static } from "typebox";
import { ADVANCE_MODES } from "../settings/advance-mode.schema.ts";
import { PlayableTarget } from "./target.schema.ts";

const STATES = ["playing", "paused", "buffering", "stopped"] as const;
const MODES = ["file", "stream", "idle"] as const;

export type PlaybackState = (typeof STATES)[number];

export const HifzBody = Type.Object(
  {
    repeat_done: Type.Integer(),
    repeat_target: Type.Integer({ description: "0 means endless" }),
    pause_s: Type.Integer(),
    waiting: Type.Boolean({ description: "true in the gap between two repetitions" }),
    gap_left_s: Type.Optional(Type.Integer({ description: "in the gap: seconds until the next repetition" })),
    ab_start: Type.Optional(Type.Integer()),
    ab_end: Type.Optional(Type.Integer()),
  },
  { title: "Hifz" },
);
export type HifzBody = Static<typeof HifzBody>;

export const PlaybackStatus = Type.Object(
  {
    state: Type.Enum([...STATES]),
    mode: Type.Enum([...MODES]),
    position: Type.Integer({ description: "milliseconds" }),
    duration: Type.Integer({ description: "milliseconds; 0 for a live stream" }),
    volume: Type.Integer(),
    underrun_count: Type.Integer(),
    track: Type.String(),
    reciter: Type.String(),
    surah_number: Type.Integer(),
    advance_mode: Type.Enum([...ADVANCE_MODES]),
    hasResumeState: Type.Boolean(),
    hifz: Type.Optional(HifzBody),
    source: Type.Union([PlayableTarget, Type.Null()]),
    title: Type.String({ description: "the title that the stream sends" }),
    retry_in_s: Type.Union([Type.Integer(), Type.Null()]),
    sleep_timer_s: Type.Union([Type.Integer(), Type.Null()]),
    hifz_today: Type.Integer({ description: "repetitions played to their end today" }),
  },
  { title: "PlaybackStatus" },
);
export type PlaybackStatus = Static<typeof PlaybackStatus>;

/** The answer of a route that changes what is played: the status fields beside `success`. */
export const PlaybackResult = Type.Object(
  {
    success: Type.Boolean(),
    changed: Type.Optional(Type.Boolean()),
    ...PlaybackStatus.properties,
  },
  { title: "PlaybackResult" },
);
export type PlaybackResult = Static<typeof PlaybackResult>;

export const PlayRequest = Type.Object(
  { path: Type.Optional(Type.String({ maxLength: 4096 })), url: Type.Optional(Type.String({ maxLength: 4096 })) },
  { title: "PlayRequest", additionalProperties: false },
);
export type PlayRequest = Static<typeof PlayRequest>;

export const SeekRequest = Type.Object(
  { position: Type.Number({ minimum: 0, maximum: 86_400_000, description: "milliseconds, at most a day" }) },
  { title: "SeekRequest", additionalProperties: false },
);

export const VolumeRequest = Type.Object(
  { volume: Type.Integer({ minimum: 0, maximum: 100 }) },
  { title: "VolumeRequest", additionalProperties: false },
);

export const VolumeResult = Type.Object({ success: Type.Boolean(), volume: Type.Integer() }, { title: "VolumeResult" });

export const ModeBody = Type.Object(
  {
    mode: Type.Enum([...ADVANCE_MODES]),
    hifz: Type.Optional(HifzBody),
  },
  { title: "AdvanceModeState" },
);
export type ModeBody = Static<typeof ModeBody>;
export const ModeResult = Type.Object(
  { success: Type.Boolean(), ...ModeBody.properties },
  { title: "AdvanceModeResult" },
);

export const SleepTimerRequest = Type.Object(
  { minutes: Type.Integer({ minimum: 0, maximum: 240 }) },
  { title: "SleepTimerRequest", additionalProperties: false },
);
export const SleepTimerResult = Type.Object(
  {
    success: Type.Boolean(),
    sleep_timer_s: Type.Union([Type.Integer(), Type.Null()]),
  },
  { title: "SleepTimerResult" },
);

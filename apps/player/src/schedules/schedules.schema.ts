import Type, { type Static } from "typebox";
import { Target } from "../targets/target.schema.ts";

const Hour = Type.Integer({ minimum: 0, maximum: 23 });
const Minute = Type.Integer({ minimum: 0, maximum: 59 });
const Days = Type.Integer({ minimum: 1, maximum: 127, description: "bit 0 is Sunday, bit 6 is Saturday" });
const Volume = Type.Integer({ minimum: 0, maximum: 100 });
const FadeIn = Type.Integer({ minimum: 0, maximum: 600, description: "seconds" });
const Duration = Type.Integer({ minimum: 0, maximum: 1440, description: "minutes; 0: until it ends" });
const Anchor = Type.Object(
  {
    prayer: Type.Integer({ minimum: 0, maximum: 5, description: "Fajr, Sunrise, Dhuhr, Asr, Maghrib, Isha" }),
    offset_min: Type.Integer({ minimum: -120, maximum: 120 }),
  },
  { title: "Anchor", additionalProperties: false },
);
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const InstantOrNull = orNull(Type.Integer({ description: "epoch seconds" }));

export const ScheduleBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    hour: orNull(Hour),
    minute: orNull(Minute),
    anchor: orNull(Anchor),
    days: Days,
    target: Target,
    volume: orNull(Volume),
    fade_in_s: FadeIn,
    duration_min: Duration,
    once: Type.Boolean(),
    enabled: Type.Boolean(),
    next_run: InstantOrNull,
    last_run: InstantOrNull,
    last_result: Type.String({ description: "empty, ok, missed, or why it failed" }),
  },
  { title: "Schedule" },
);
export type ScheduleBody = Static<typeof ScheduleBody>;
export const SchedulesBody = Type.Object({ schedules: Type.Array(ScheduleBody) }, { title: "ScheduleList" });

/** The fields of a schedule in a backup: those that the owner has set. */
export const KeptSchedule = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  name: Type.String({ maxLength: 100 }),
  hour: orNull(Hour),
  minute: orNull(Minute),
  anchor: orNull(Anchor),
  days: Days,
  target: Type.Unknown(),
  volume: orNull(Volume),
  fade_in_s: FadeIn,
  duration_min: Duration,
  once: Type.Boolean(),
  enabled: Type.Boolean(),
});
export type KeptSchedule = Static<typeof KeptSchedule>;

export const CreateScheduleRequest = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 100 })),
    hour: Type.Optional(Hour),
    minute: Type.Optional(Minute),
    anchor: Type.Optional(Anchor),
    days: Days,
    target: Type.Unknown({ description: "a Target, a path on the card, or a web address" }),
    volume: Type.Optional(Volume),
    fade_in_s: Type.Optional(FadeIn),
    duration_min: Type.Optional(Duration),
    once: Type.Optional(Type.Boolean()),
  },
  {
    title: "CreateScheduleRequest",
    additionalProperties: false,
    oneOf: [{ required: ["hour", "minute"] }, { required: ["anchor"] }],
  },
);
export type CreateScheduleRequest = Static<typeof CreateScheduleRequest>;
export const ScheduleResult = Type.Object(
  { success: Type.Boolean(), ...ScheduleBody.properties },
  { title: "ScheduleResult" },
);

export const ScheduleParams = Type.Object({ id: Type.String() });
export const EnableScheduleRequest = Type.Object(
  { enabled: Type.Boolean() },
  { title: "EnableScheduleRequest", additionalProperties: false },
);
export const RemoveScheduleResult = Type.Object({ success: Type.Boolean() }, { title: "RemoveScheduleResult" });

/** Sent to clients when a schedule runs. */
export const ScheduleFired = Type.Object({ id: Type.Integer(), name: Type.String(), result: Type.String() });
export type ScheduleFired = Static<typeof ScheduleFired>;

import Type, { type Static } from "typebox";

/** Sent to clients during an adhan. */
export const AdhanChange = Type.Object({
  phase: Type.Enum(["started", "ended", "stopped", "skipped"], {
    description: "skipped: the clock jumped past it, or no audio was available",
  }),
  prayer: Type.Enum(["fajr", "dhuhr", "asr", "maghrib", "isha", "test"]),
});
export type AdhanChange = Static<typeof AdhanChange>;

export const TestAdhanResult = Type.Object(
  {
    success: Type.Boolean(),
    track: Type.String({ description: "empty for the built-in tone" }),
  },
  { title: "TestAdhanResult" },
);

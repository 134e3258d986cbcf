import Type, { type Static } from "typebox";

/**
 * A target that can be played directly. Cards and schedules add more kinds; the status and a saved position use these.
 */
export const PlayableTarget = Type.Union([
  Type.Object({ type: Type.Literal("surah"), reciter: Type.String(), surah: Type.Integer() }),
  Type.Object({ type: Type.Literal("stream"), url: Type.String(), name: Type.String() }),
  Type.Object({ type: Type.Literal("station"), id: Type.Integer() }),
  Type.Object({ type: Type.Literal("file"), path: Type.String() }),
]);
export type PlayableTarget = Static<typeof PlayableTarget>;

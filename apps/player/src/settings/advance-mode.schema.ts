import Type, { type Static } from "typebox";

export const ADVANCE_MODES = ["off", "continuous", "repeat_one", "hifz_repeat", "hifz_ab"] as const;

const Surah = Type.Integer({ minimum: 1, maximum: 114 });

export const ModeRequest = Type.Object(
  {
    mode: Type.Enum([...ADVANCE_MODES]),
    repeat: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    pause_s: Type.Optional(Type.Integer({ minimum: 0, maximum: 600 })),
    ab: Type.Optional(Type.Object({ from: Surah, to: Surah }, { additionalProperties: false })),
  },
  { title: "AdvanceMode", additionalProperties: false },
);
export type ModeRequest = Static<typeof ModeRequest>;

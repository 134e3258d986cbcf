import Type, { type Static } from "typebox";

export const SettingsBody = Type.Object({
  volume: Type.Integer({ minimum: 0, maximum: 100 }),
  max_volume: Type.Integer({ minimum: 0, maximum: 100 }),
  auto_resume: Type.Boolean(),
  stream_retry_min: Type.Integer({ minimum: 0, maximum: 1440, description: "0 is for ever" }),
  allow_private_streams: Type.Boolean(),
});
export type SettingsBody = Static<typeof SettingsBody>;

const { max_volume, stream_retry_min, allow_private_streams } = SettingsBody.properties;

export const ChangeSettingsRequest = Type.Object(
  {
    max_volume: Type.Optional(max_volume),
    stream_retry_min: Type.Optional(stream_retry_min),
    allow_private_streams: Type.Optional(allow_private_streams),
  },
  { additionalProperties: false },
);
export const ChangeSettingsResult = Type.Object({ success: Type.Boolean(), ...SettingsBody.properties });

export const AutoResumeRequest = Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false });
export const AutoResumeResult = Type.Object({ success: Type.Boolean(), auto_resume: Type.Boolean() });

import Type, { type Static } from "typebox";
import { TextOrNull } from "../../../foundation/schema/fields.schema.ts";

export const SourcePath = Type.Object({ source: Type.String({ minLength: 1, maxLength: 512 }) });

export const UpdateSourceRequest = Type.Object(
  {
    /** Whether an alert reports that the source has fallen silent. */
    watch: Type.Optional(Type.Boolean()),
    /** The time zone of timestamps without a zone, such as Europe/Berlin; null means UTC. */
    timezone: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()])),
  },
  { title: "UpdateLogSourceRequest", additionalProperties: false },
);
export type UpdateSourceRequest = Static<typeof UpdateSourceRequest>;

export const SourceSettingsBody = Type.Object(
  {
    source: Type.String(),
    watch: Type.Boolean(),
    timezone: TextOrNull,
  },
  { title: "LogSourceSettings" },
);
export type SourceSettings = Static<typeof SourceSettingsBody>;

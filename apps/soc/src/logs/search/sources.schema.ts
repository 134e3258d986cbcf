import Type, { type Static } from "typebox";
import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
import { InstantOrNull, TextOrNull } from "../../foundation/schema/fields.schema.ts";
import { PartialBody } from "./logs.schema.ts";

export const ListSourcesQuery = Type.Object({
  ...PageQuery.properties,
  // The cursor contains the name of a source, which may be long.
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })),
});
export type ListSourcesQuery = Static<typeof ListSourcesQuery>;

/** The times are null if no log of the source is stored. */
export const SourceBody = Type.Object(
  {
    source: Type.String(),
    events: Type.Integer(),
    first_seen: InstantOrNull,
    last_seen: InstantOrNull,
    received: Type.Integer(),
    stored: Type.Integer(),
    rejected: Type.Integer(),
    late: Type.Integer(),
    silent_since: Type.Union([Type.Unsafe<Date>(Type.String({ format: "date-time" })), Type.Null()]),
    /** Whether an alert reports that the source has fallen silent. */
    watch: Type.Boolean(),
    /** The time zone of timestamps without a zone; null means UTC. */
    timezone: TextOrNull,
  },
  { title: "LogSource" },
);
export type SourceBody = Static<typeof SourceBody>;
export const SourcesPageBody = Type.Object(
  { ...PageOf(SourceBody).properties, ...PartialBody },
  { title: "LogSourcePage" },
);
export type SourceSettings = Pick<SourceBody, "watch" | "timezone">;
export type SourceCounts = Pick<SourceBody, "received" | "stored" | "rejected" | "late" | "silent_since">;

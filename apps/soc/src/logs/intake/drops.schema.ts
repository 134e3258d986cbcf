import Type, { type Static } from "typebox";

/** A syslog sender whose messages were dropped because they could not be stored in time. */
export const DropsBody = Type.Object(
  {
    sender: Type.String(),
    dropped: Type.Integer(),
    first_dropped_at: Type.Unsafe<Date>(Type.String({ format: "date-time" })),
    last_dropped_at: Type.Unsafe<Date>(Type.String({ format: "date-time" })),
  },
  { title: "SyslogDrops" },
);
export type DropsBody = Static<typeof DropsBody>;

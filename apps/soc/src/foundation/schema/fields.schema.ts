import Type from "typebox";

// Fields that many bodies share. A body that needs another limit declares its own field.

export const Id = Type.String({ pattern: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$" });
export const IdOrNull = Type.Union([Id, Type.Null()]);

/** An instant as a caller sends it. */
export const Instant = Type.String({ format: "date-time" });
export const InstantOrNull = Type.Union([Instant, Type.Null()]);

/** An instant as a record stores it. */
export const Time = Type.Unsafe<Date>(Type.String({ format: "date-time" }));
export const TimeOrNull = Type.Union([Time, Type.Null()]);

export const TextOrNull = Type.Union([Type.String(), Type.Null()]);

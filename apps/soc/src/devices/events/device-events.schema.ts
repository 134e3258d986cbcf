import Type, { type Static } from "typebox";
import { Id } from "../../foundation/schema/fields.schema.ts";

const closed = { additionalProperties: false } as const;
const MAX_EVENTS = 100;
const MAX_DETAILS = 20;
const Word = Type.String({ pattern: "^[a-z][a-z0-9_]{0,49}$" });

const Details = Type.Unsafe<Record<string, string>>(
  Type.Object({}, { additionalProperties: Type.String({ maxLength: 500 }), maxProperties: MAX_DETAILS }),
);

/** An event on a device. Its id makes a retry harmless. */
const DeviceEvent = Type.Object(
  {
    id: Id,
    at: Type.String({ format: "date-time", maxLength: 40 }),
    type: Word,
    details: Type.Optional(Details),
  },
  closed,
);
export type DeviceEvent = Static<typeof DeviceEvent>;

export const DeviceEventsRequest = Type.Object(
  { events: Type.Array(DeviceEvent, { minItems: 1, maxItems: MAX_EVENTS }) },
  closed,
);
export const DeviceEventsBody = Type.Object({ accepted: Type.Integer() });
export type DeviceEventsBody = Static<typeof DeviceEventsBody>;

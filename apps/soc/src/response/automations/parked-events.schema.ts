import Type, { type Static } from "typebox";
import { PageOf } from "../../foundation/lists/lists.schema.ts";
import { Time } from "../../foundation/schema/fields.schema.ts";

export const ParkedEventPath = Type.Object({ id: Type.String() });

export const ParkedEventBody = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    subject_id: Type.String(),
    at: Time,
    error: Type.String({ description: "why the last attempt failed" }),
    retries: Type.Integer(),
    parked_at: Time,
    retry_at: Time,
  },
  { title: "ParkedEvent" },
);
export type ParkedEventBody = Static<typeof ParkedEventBody>;

export const ParkedEventsPage = PageOf(ParkedEventBody);

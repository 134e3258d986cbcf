import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Time } from "../../foundation/schema/fields.schema.ts";

export const DELIVERY_STATUSES = ["queued", "sent", "recorded", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const Status = Type.Enum([...DELIVERY_STATUSES], { title: "DeliveryStatus" });

export const DeliveriesQuery = Type.Object({
  ...PageQuery.properties,
  channel_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  status: Type.Optional(Status),
});
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

export const DeliveryBody = Type.Object(
  {
    id: Type.String({ description: "also the idempotency key for the receiver" }),
    channel_id: Type.String(),
    type: Type.String(),
    text: Type.String(),
    status: Status,
    attempts: Type.Integer(),
    next_attempt_at: Time,
    last_error: Type.Union([Type.String(), Type.Null()]),
    created_at: Time,
    finished_at: Type.Union([Time, Type.Null()]),
  },
  { title: "Delivery" },
);
export type DeliveryBody = Static<typeof DeliveryBody>;

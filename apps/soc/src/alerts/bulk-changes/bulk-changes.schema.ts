import Type, { type Static } from "typebox";
import { Id } from "../../foundation/schema/fields.schema.ts";
import { AlertBody, AlertFilters, UpdateAlertRequest } from "../alerts/alerts.schema.ts";

const closed = { additionalProperties: false } as const;

/** The maximum number of alerts that a filter may select. */
export const MAX_CHANGED = 100_000;
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 50 });

/** Contains either ids of alerts, or filters with the expected number of selected alerts. */
export const BulkUpdateRequest = Type.Object(
  {
    ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 500 })),
    // Open, so that an unknown name is refused: an ignored filter would select more alerts.
    filter: Type.Optional(Type.Object({ ...AlertFilters.properties }, { additionalProperties: true })),
    except_ids: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    expected_total: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_CHANGED })),
    ...UpdateAlertRequest.properties,
    tags_add: Type.Optional(Tags),
    tags_remove: Type.Optional(Tags),
  },
  { title: "UpdateAlertsRequest", ...closed },
);
export type BulkUpdateRequest = Static<typeof BulkUpdateRequest>;

export const BulkUpdateBody = Type.Object(
  {
    items: Type.Optional(Type.Array(AlertBody, { description: "only for a change by ids" })),
    changed: Type.Integer(),
    change_id: Type.String({ description: "undoes the change within 60 seconds" }),
  },
  { title: "UpdatedAlerts" },
);
export type BulkUpdateBody = Static<typeof BulkUpdateBody>;

export const UndoRequest = Type.Object({ change_id: Id }, { title: "UndoAlertsRequest", ...closed });

export const UndoBody = Type.Object(
  {
    restored: Type.Integer(),
    refused: Type.Array(Type.Object({ id: Type.String(), detail: Type.String() }), {
      description: "alerts that have changed since then, at most 100",
    }),
    refused_total: Type.Integer(),
  },
  { title: "UndoneAlerts" },
);
export type UndoBody = Static<typeof UndoBody>;

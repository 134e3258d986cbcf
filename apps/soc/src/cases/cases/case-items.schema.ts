import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";

export const TASK_STATUSES = ["todo", "in_progress", "blocked", "done"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const ITEM_TYPES = ["observable", "comment", "task"] as const;
export type ItemType = (typeof ITEM_TYPES)[number];
const ItemTypeName = Type.Enum([...ITEM_TYPES], { title: "ItemTypeName" });
const TASK_SORTS = ["position"] as const;
export type TaskSort = (typeof TASK_SORTS)[number];

const closed = { additionalProperties: false } as const;

function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength });
}

const Assignee = Type.Union([text(254), Type.Null()]);
const Status = Type.Enum([...TASK_STATUSES], { title: "TaskStatus" });

export const EvidenceParams = Type.Object({ case_id: Type.String(), evidence_id: Type.String() });
export const ObservableParams = Type.Object({ case_id: Type.String(), observable_id: Type.String() });
export const CommentParams = Type.Object({ case_id: Type.String(), comment_id: Type.String() });
export const TaskParams = Type.Object({ case_id: Type.String(), task_id: Type.String() });

export const TimelineEntryBody = Type.Object(
  { agent: Type.String(), action: Type.String(), timestamp: Time },
  { title: "TimelineEntry" },
);

export const ObservableRequest = Type.Object(
  {
    type: text(50),
    value: text(2048),
    source: Type.Optional(text(100)),
    tags: Type.Optional(Type.Array(text(100), { maxItems: 50 })),
    context: Type.Optional(Type.Object({}, { additionalProperties: true, maxProperties: 100 })),
  },
  { title: "ObservableRequest", ...closed },
);
export type ObservableRequest = Static<typeof ObservableRequest>;

export const UpdateObservableRequest = Type.Object(
  {
    type: Type.Optional(text(50)),
    value: Type.Optional(text(2048)),
    source: Type.Optional(Type.Union([text(100), Type.Null()])),
    tags: ObservableRequest.properties.tags,
    context: ObservableRequest.properties.context,
  },
  { title: "UpdateObservableRequest", ...closed },
);
export type UpdateObservableRequest = Static<typeof UpdateObservableRequest>;

export const ObservableBody = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    value: Type.String(),
    source: TextOrNull,
    tags: Type.Array(Type.String()),
    context: Type.Object({}, { additionalProperties: true }),
    created_at: Time,
    edited_at: TimeOrNull,
  },
  { title: "Observable" },
);

export const ObservablesRequest = Type.Object(
  { observables: Type.Array(ObservableRequest, { minItems: 1, maxItems: 200 }) },
  { title: "ObservablesRequest", ...closed },
);
export type ObservablesRequest = Static<typeof ObservablesRequest>;

export const ObservablesBody = Type.Object(
  {
    items: Type.Array(ObservableBody, { description: "in the order of the request" }),
    created: Type.Integer(),
    existing: Type.Integer({
      description: "observables that the case already had, or that occur twice in the request",
    }),
  },
  { title: "CreatedObservables" },
);
export type ObservablesBody = Static<typeof ObservablesBody>;

export const HistoryQuery = Type.Object({
  ...PageQuery.properties,
  item_type: Type.Optional(ItemTypeName),
  item_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

export const ItemVersionBody = Type.Object(
  {
    id: Type.Integer(),
    item_type: ItemTypeName,
    item_id: Type.String(),
    change: Type.Enum(["edited", "removed"]),
    item: Type.Object({}, { additionalProperties: true, description: "the item as it was before the change" }),
    changed_by: Type.String(),
    changed_at: Time,
  },
  { title: "ItemVersion" },
);

/** Open: evidence comes with records of other organisations, and every field is kept. */
export const CustodyRequest = Type.Object(
  { action: text(500), location: Type.Optional(text(500)), notes: Type.Optional(text(5000)) },
  { title: "CustodyRequest", additionalProperties: true, maxProperties: 50 },
);
export type CustodyRequest = Static<typeof CustodyRequest>;

export const EvidenceRequest = Type.Object(
  {
    name: text(500),
    evidence_type: text(100),
    storage_url: Type.Optional(text(2048)),
    sha256: Type.Optional(Type.String({ pattern: "^[0-9A-Fa-f]{64}$" })),
    location: Type.Optional(text(500)),
    custody_entries: Type.Optional(Type.Array(CustodyRequest, { maxItems: 100 })),
  },
  { title: "EvidenceRequest", ...closed },
);
export type EvidenceRequest = Static<typeof EvidenceRequest>;

export const EvidenceBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    evidence_type: Type.String(),
    storage_url: TextOrNull,
    sha256: TextOrNull,
    location: TextOrNull,
    registered_in: Type.Union([Type.String(), Type.Null()], {
      description: "after a merge, the case whose ledger chain contains the registration",
    }),
    created_at: Time,
    custody_entries: Type.Array(
      Type.Object(
        {
          action: Type.String(),
          location: TextOrNull,
          notes: TextOrNull,
          actor: Type.Unknown({ description: "as sent, otherwise recorded_by" }),
          timestamp: Type.Unknown({ description: "as sent, otherwise recorded_at" }),
          recorded_by: Type.String({ description: "the authenticated caller" }),
          recorded_at: Time,
        },
        {
          title: "CustodyEntry",
          additionalProperties: true,
          description: "every field as sent, with the fields of the platform",
        },
      ),
    ),
    custody_total: Type.Integer({ description: "custody_entries contains the newest 200 in chronological order" }),
  },
  { title: "Evidence" },
);

/** The evidence with the ledger entry that this request appended. */
export const RecordedEvidenceBody = Type.Object(
  {
    ...EvidenceBody.properties,
    ledger: Type.Object({ sequence: Type.Integer(), previous_hash: Type.String(), entry_hash: Type.String() }),
  },
  { title: "RecordedEvidence" },
);

export const CommentRequest = Type.Object({ body: text(20_000) }, { title: "CommentRequest", ...closed });
export type CommentRequest = Static<typeof CommentRequest>;

export const CommentBody = Type.Object(
  {
    id: Type.String(),
    author: Type.String(),
    body: Type.String(),
    created_at: Time,
    edited_at: TimeOrNull,
  },
  { title: "Comment" },
);

const Position = Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Null()]);

export const TasksQuery = Type.Object({ ...PageQuery.properties, sort: Type.Optional(Type.Enum([...TASK_SORTS])) });
export type TasksQuery = Static<typeof TasksQuery>;

export const CreateTaskRequest = Type.Object(
  {
    title: text(500),
    status: Type.Optional(Status),
    assignee: Type.Optional(Assignee),
    position: Type.Optional(Position),
  },
  { title: "CreateTaskRequest", ...closed },
);
export type CreateTaskRequest = Static<typeof CreateTaskRequest>;

export const UpdateTaskRequest = Type.Object(
  {
    title: Type.Optional(text(500)),
    status: Type.Optional(Status),
    assignee: Type.Optional(Assignee),
    position: Type.Optional(Position),
  },
  { title: "UpdateTaskRequest", ...closed },
);
export type UpdateTaskRequest = Static<typeof UpdateTaskRequest>;

export const TaskBody = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    status: Status,
    assignee: TextOrNull,
    position: Type.Union([Type.Integer(), Type.Null()], { description: "sort order of the tasks" }),
    created_at: Time,
    updated_at: Time,
  },
  { title: "Task" },
);

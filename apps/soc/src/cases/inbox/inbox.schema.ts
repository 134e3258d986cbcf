import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { MultiValueOf } from "../../foundation/lists/multi-value-params.schema.ts";
import { TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";

export const INBOX_KINDS = ["assigned", "mentioned", "waiting", "decided", "failed", "due", "sign_in"] as const;
const Kind = Type.Enum([...INBOX_KINDS], { title: "InboxKind" });
const MAX_IDS = 500;

export const InboxItemBody = Type.Object(
  {
    id: Type.String(),
    kind: Kind,
    subject_type: Type.String(),
    subject_id: Type.String(),
    title: Type.String(),
    actor: TextOrNull,
    at: Time,
    read_at: TimeOrNull,
  },
  { title: "InboxItem" },
);

export const InboxQuery = Type.Object({
  ...PageQuery.properties,
  kind: Type.Optional(MultiValueOf(Kind)),
  unread: Type.Optional(Type.Boolean()),
});
export type InboxQuery = Static<typeof InboxQuery>;

export const InboxCountBody = Type.Object(
  {
    unread: Type.Integer(),
    by_kind: Type.Record(Type.String(), Type.Integer()),
  },
  { title: "InboxCount" },
);
export type InboxCount = Static<typeof InboxCountBody>;

export const ReadRequest = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String({ format: "uuid" }), { minItems: 1, maxItems: MAX_IDS })),
    all: Type.Optional(Type.Literal(true)),
  },
  { title: "ReadInboxRequest", additionalProperties: false },
);
export type ReadRequest = Static<typeof ReadRequest>;

export const ReadBody = Type.Object({ read: Type.Integer() }, { title: "ReadInboxResult" });

import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { MultiValueOf } from "../../foundation/lists/multi-value-params.schema.ts";
import { Id, Instant, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { LogBody, LogWindowQuery, QueryText } from "../../logs/search/logs.schema.ts";

/** For one rule, for the rules with a tag, or for all rules. */
const EXCEPTION_SCOPES = ["rule", "tag", "all"] as const;

const closed = { additionalProperties: false } as const;
const Scope = Type.Enum([...EXCEPTION_SCOPES], { title: "ExceptionScope" });
const Tag = Type.String({ minLength: 1, maxLength: 100 });
const Reason = Type.String({ minLength: 1, maxLength: 5000 });

const selecting = {
  scope: Scope,
  rule_id: Type.Optional(Id),
  tag: Type.Optional(Tag),
  /** In the query language of the logs. */
  query: QueryText,
};

export const ExceptionParams = Type.Object({ exception_id: Type.String() });

export const ListExceptionsQuery = Type.Object({
  ...PageQuery.properties,
  scope: Type.Optional(MultiValueOf(Scope)),
  rule_id: Type.Optional(MultiValueOf(Id)),
  tag: Type.Optional(MultiValueOf(Tag)),
  active: Type.Optional(Type.Boolean()),
  /** Words in the query or the reason. */
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});
export type ListExceptionsQuery = Static<typeof ListExceptionsQuery>;

export const CreateExceptionRequest = Type.Object(
  { ...selecting, reason: Reason, expires_at: Instant },
  { title: "CreateExceptionRequest", ...closed },
);
export type CreateExceptionRequest = Static<typeof CreateExceptionRequest>;

/** The query of an exception cannot change: a different query is a different exception. */
export const UpdateExceptionRequest = Type.Object(
  { reason: Type.Optional(Reason), expires_at: Type.Optional(Instant) },
  { title: "UpdateExceptionRequest", ...closed },
);
export type UpdateExceptionRequest = Static<typeof UpdateExceptionRequest>;

export const PreviewExceptionRequest = Type.Object(
  { ...selecting, ...LogWindowQuery.properties },
  { title: "PreviewExceptionRequest", ...closed },
);
export type PreviewExceptionRequest = Static<typeof PreviewExceptionRequest>;

export const ExceptionBody = Type.Object(
  {
    id: Type.String(),
    scope: Scope,
    rule_id: TextOrNull,
    tag: TextOrNull,
    query: Type.String(),
    reason: Type.String(),
    created_by: Type.String(),
    created_at: Time,
    updated_at: Time,
    expires_at: Time,
    /** The logs that it has hidden from rules; a log that it hid from two rules counts twice. */
    hidden: Type.Integer(),
    last_hidden_at: TimeOrNull,
    approval_id: Type.Optional(
      Type.String({ description: "with four eyes: hides nothing until another person decides this approval" }),
    ),
    held_until: Type.Optional(Time),
  },
  { title: "Exception" },
);

/** The matches in the window that an exception would have hidden. */
export const ExceptionPreviewBody = Type.Object(
  {
    window_from: Time,
    window_to: Time,
    /** The open matches of the affected rules, the newest 5,000. */
    total: Type.Integer(),
    is_capped: Type.Boolean(),
    would_hide: Type.Integer(),
    /** Alerts with one of the hidden logs, and how many of them were true positives. */
    hidden_alerts: Type.Integer(),
    hidden_true_positives: Type.Integer(),
    logs: Type.Array(LogBody),
  },
  { title: "ExceptionPreview" },
);

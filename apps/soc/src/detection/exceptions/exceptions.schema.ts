import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { SeveralOf } from "../../foundation/lists/several.schema.ts";
import { Id, Instant, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { LogBody, LogWindowQuery, QueryText } from "../../logs/search/logs.schema.ts";

/** Of one rule, of the rules with a tag, or of all rules. */
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
  scope: Type.Optional(SeveralOf(Scope)),
  rule_id: Type.Optional(SeveralOf(Id)),
  tag: Type.Optional(SeveralOf(Tag)),
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

/** What an exception hides does not change: another query is another exception. */
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
    /** The logs that it has kept from rules; a log that it kept from two rules counts twice. */
    hidden: Type.Integer(),
    last_hidden_at: TimeOrNull,
  },
  { title: "Exception" },
);

/** What an exception would have hidden of the matches in the window. */
export const ExceptionPreviewBody = Type.Object(
  {
    window_from: Time,
    window_to: Time,
    /** The open matches of the rules that are meant, the newest 5,000. */
    total: Type.Integer(),
    is_capped: Type.Boolean(),
    would_hide: Type.Integer(),
    /** Alerts with one of the hidden logs, and those of them that were true positives. */
    hidden_alerts: Type.Integer(),
    hidden_true_positives: Type.Integer(),
    logs: Type.Array(LogBody),
  },
  { title: "ExceptionPreview" },
);

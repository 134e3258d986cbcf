import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { IdOrNull, TextOrNull } from "../../foundation/schema/fields.schema.ts";

export const VERDICTS = ["true_positive", "false_positive", "needs_tuning"] as const;
export type Verdict = (typeof VERDICTS)[number];

const Verdict = Type.Enum([...VERDICTS], { title: "FeedbackVerdict" });
const Metadata = Type.Object({}, { title: "FeedbackMetadata", additionalProperties: true, maxProperties: 100 });

export const ListFeedbackQuery = Type.Object({ ...PageQuery.properties, verdict: Type.Optional(Verdict) });
export type ListFeedbackQuery = Static<typeof ListFeedbackQuery>;

export const CreateFeedbackRequest = Type.Object(
  {
    verdict: Verdict,
    alert_id: Type.Optional(IdOrNull),
    case_id: Type.Optional(IdOrNull),
    siem_log_id: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()])),
    notes: Type.Optional(Type.String({ maxLength: 5000 })),
    metadata: Type.Optional(Metadata),
  },
  { title: "CreateRuleFeedbackRequest", additionalProperties: false },
);
export type CreateFeedbackRequest = Static<typeof CreateFeedbackRequest>;

export const FeedbackBody = Type.Object(
  {
    id: Type.String(),
    rule_id: Type.String(),
    verdict: Verdict,
    alert_id: TextOrNull,
    case_id: TextOrNull,
    siem_log_id: TextOrNull,
    notes: Type.String(),
    metadata: Metadata,
    created_by: Type.String(),
    created_at: Type.Unsafe<Date>(Type.String({ format: "date-time" })),
  },
  { title: "RuleFeedback" },
);

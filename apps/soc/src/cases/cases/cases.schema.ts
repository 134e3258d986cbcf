import Type, { type Static } from "typebox";
import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { MultiValueOf } from "../../foundation/lists/multi-value-params.schema.ts";
import { TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { SiteName } from "../../identity/sites/site-fields.schema.ts";
import { SlaBody } from "../case-sla/case-sla.schema.ts";
import { CommentBody, EvidenceBody, ObservableBody, TaskBody, TimelineEntryBody } from "./case-items.schema.ts";

export const CASE_STATUSES = ["open", "investigating", "pending_approval", "contained", "resolved", "closed"] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];
/** The column that sorts the list; a minus sign means descending. */
const CASE_SORTS = ["-created_at", "created_at", "-updated_at", "updated_at", "-severity", "severity"] as const;
export type CaseSort = (typeof CASE_SORTS)[number];

const Severity = Type.Enum([...SEVERITIES], { title: "Severity" });
const Status = Type.Enum([...CASE_STATUSES], { title: "CaseStatus" });
const Title = Type.String({ minLength: 1, maxLength: 500 });
const Description = Type.String({ maxLength: 20_000 });
const Assignee = Type.Union([Type.String({ minLength: 1, maxLength: 254 }), Type.Null()]);
const Techniques = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 100 });
const Tag = Type.String({ minLength: 1, maxLength: 100 });
const Tags = Type.Array(Tag, { maxItems: 50 });
const DueAt = Type.Union([Type.String({ format: "date-time" }), Type.Null()]);

export const CaseParams = Type.Object({ case_id: Type.String() });

export const ListCasesQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(MultiValueOf(Status)),
  severity: Type.Optional(MultiValueOf(Severity)),
  assignee: Type.Optional(MultiValueOf(Type.String({ minLength: 1, maxLength: 254 }))),
  tag: Type.Optional(MultiValueOf(Tag)),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  sort: Type.Optional(Type.Enum([...CASE_SORTS])),
});
export type ListCasesQuery = Static<typeof ListCasesQuery>;

export const CreateCaseRequest = Type.Object(
  {
    title: Title,
    severity: Type.Optional(Severity),
    description: Type.Optional(Description),
    assignee: Type.Optional(Assignee),
    due_at: Type.Optional(DueAt),
    mitre_techniques: Type.Optional(Techniques),
    tags: Type.Optional(Tags),
    template_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    site: Type.Optional(SiteName),
    alert_ids: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })),
  },
  { title: "CreateCaseRequest", additionalProperties: false },
);
export type CreateCaseRequest = Static<typeof CreateCaseRequest>;

export const UpdateCaseRequest = Type.Object(
  {
    title: Type.Optional(Title),
    severity: Type.Optional(Severity),
    status: Type.Optional(Status),
    description: Type.Optional(Description),
    assignee: Type.Optional(Assignee),
    requires_human_approval: Type.Optional(Type.Boolean()),
    due_at: Type.Optional(DueAt),
    mitre_techniques: Type.Optional(Techniques),
    tags: Type.Optional(Tags),
  },
  { title: "UpdateCaseRequest", additionalProperties: false },
);
export type UpdateCaseRequest = Static<typeof UpdateCaseRequest>;

export const CaseBody = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    severity: Severity,
    status: Status,
    assignee: Type.Union([Type.String(), Type.Null()]),
    requires_human_approval: Type.Boolean(),
    due_at: TimeOrNull,
    mitre_techniques: Type.Array(Type.String()),
    tags: Type.Array(Type.String()),
    sla: Type.Optional(SlaBody),
    template_id: TextOrNull,
    merged_into: TextOrNull,
    closed_at: TimeOrNull,
    created_at: Time,
    updated_at: Time,
  },
  { title: "Case" },
);

/** The newest items of each list, and the totals. */
export const CaseDetailBody = Type.Object(
  {
    ...CaseBody.properties,
    merged_from: Type.Array(Type.String(), { description: "the cases that were merged into it, at most 200" }),
    timeline: Type.Array(TimelineEntryBody),
    observables: Type.Array(ObservableBody),
    evidence: Type.Array(EvidenceBody),
    comments: Type.Array(CommentBody),
    tasks: Type.Array(TaskBody),
    totals: Type.Object({
      timeline: Type.Integer(),
      observables: Type.Integer(),
      evidence: Type.Integer(),
      comments: Type.Integer(),
      tasks: Type.Integer(),
    }),
  },
  { title: "CaseDetail" },
);

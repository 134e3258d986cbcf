import Type, { type Static } from "typebox";
import { SEVERITIES } from "../../alerts/alerts/alerts.schema.ts";
import { Time } from "../../foundation/schema/fields.schema.ts";
import { SlaTargets } from "../case-sla/case-sla.schema.ts";

const closed = { additionalProperties: false } as const;

function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength });
}

const Name = text(100);
const TitlePrefix = Type.String({ maxLength: 100 });
const Description = Type.String({ maxLength: 20_000 });
const SeverityOrNull = Type.Union([Type.Enum([...SEVERITIES]), Type.Null()]);
const Tags = Type.Array(text(100), { maxItems: 50 });
const Task = Type.Object(
  { title: text(500), assignee: Type.Optional(Type.Union([text(254), Type.Null()])) },
  { title: "CaseTemplateTask", ...closed },
);
const Tasks = Type.Array(Task, { maxItems: 100 });
const SlaOrNull = Type.Union([SlaTargets, Type.Null()]);

export const CaseTemplateParams = Type.Object({ template_id: Type.String() });

const fields = {
  title_prefix: Type.Optional(TitlePrefix),
  description: Type.Optional(Description),
  severity: Type.Optional(SeverityOrNull),
  tags: Type.Optional(Tags),
  tasks: Type.Optional(Tasks),
  sla: Type.Optional(SlaOrNull),
};

export const CreateTemplateRequest = Type.Object(
  { name: Name, ...fields },
  { title: "CreateTemplateRequest", ...closed },
);
export type CreateTemplateRequest = Static<typeof CreateTemplateRequest>;

export const UpdateTemplateRequest = Type.Object(
  { name: Type.Optional(Name), ...fields },
  { title: "UpdateTemplateRequest", ...closed },
);
export type UpdateTemplateRequest = Static<typeof UpdateTemplateRequest>;

export const CaseTemplateBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    title_prefix: Type.String(),
    description: Type.String(),
    severity: SeverityOrNull,
    tags: Type.Array(Type.String()),
    tasks: Tasks,
    sla: SlaOrNull,
    created_by: Type.String(),
    created_at: Time,
    updated_at: Time,
  },
  { title: "CaseTemplate" },
);

import Type, { type Static } from "typebox";
import { PageOf } from "../../foundation/lists/lists.schema.ts";
import { TextOrNull, Time } from "../../foundation/schema/fields.schema.ts";

const FIRING_OUTCOMES = ["started", "pending_approval", "cooling_down", "refused"] as const;

const closed = { additionalProperties: false } as const;

const Fields = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  condition: Type.String({ minLength: 1, maxLength: 4096 }),
  playbook_id: Type.String({ minLength: 1, maxLength: 80 }),
  parameters: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, maxProperties: 100 })),
  enabled: Type.Boolean(),
  cooldown_minutes: Type.Integer({ minimum: 0, maximum: 10_080 }),
};

export const AutomationPath = Type.Object({ id: Type.String() });

export const CreateAutomationRequest = Type.Object(
  {
    name: Fields.name,
    condition: Fields.condition,
    playbook_id: Fields.playbook_id,
    parameters: Type.Optional(Fields.parameters),
    enabled: Type.Optional(Fields.enabled),
    cooldown_minutes: Type.Optional(Fields.cooldown_minutes),
  },
  { title: "CreateAutomationRequest", ...closed },
);
export type CreateAutomationRequest = Static<typeof CreateAutomationRequest>;

export const UpdateAutomationRequest = Type.Object(
  {
    name: Type.Optional(Fields.name),
    condition: Type.Optional(Fields.condition),
    playbook_id: Type.Optional(Fields.playbook_id),
    parameters: Type.Optional(Fields.parameters),
    enabled: Type.Optional(Fields.enabled),
    cooldown_minutes: Type.Optional(Fields.cooldown_minutes),
  },
  { title: "UpdateAutomationRequest", ...closed },
);
export type UpdateAutomationRequest = Static<typeof UpdateAutomationRequest>;

export const AutomationBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    condition: Type.String(),
    playbook_id: Type.String(),
    parameters: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true })),
    enabled: Type.Boolean(),
    cooldown_minutes: Type.Integer(),
    last_fired_at: Type.Union([Time, Type.Null()]),
    fired_24h: Type.Integer(),
    created_by: Type.String(),
    created_at: Time,
    updated_at: Time,
  },
  { title: "Automation" },
);

export const FiringBody = Type.Object(
  {
    automation_id: Type.String(),
    alert_id: Type.String(),
    at: Time,
    outcome: Type.Enum([...FIRING_OUTCOMES]),
    execution_id: TextOrNull,
    approval_id: TextOrNull,
    reason: TextOrNull,
  },
  { title: "AutomationFiring" },
);

export const AutomationsPage = PageOf(AutomationBody);
export const FiringsPage = PageOf(FiringBody);

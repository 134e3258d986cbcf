import Type, { type Static } from "typebox";
import { Instant, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { CreateAutomationRequest } from "./automations.schema.ts";

const { condition, playbook_id, cooldown_minutes } = CreateAutomationRequest.properties;

export const PreviewAutomationRequest = Type.Object(
  { condition, playbook_id, cooldown_minutes, from: Type.Optional(Instant), to: Type.Optional(Instant) },
  { title: "PreviewAutomationRequest", additionalProperties: false },
);
export type PreviewAutomationRequest = Static<typeof PreviewAutomationRequest>;

const StartedStep = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    action: Type.String(),
    when: TextOrNull,
    leaves_platform: Type.Boolean({ description: "including its compensation" }),
    is_critical: Type.Boolean({
      description: "whether the step requires an approval for the playbook, including its compensation",
    }),
  },
  { title: "StartedStep" },
);

export const AutomationPreviewBody = Type.Object(
  {
    from: Time,
    to: Time,
    matched: Type.Integer({ description: "alerts created in the period whose current state matches the condition" }),
    started: Type.Integer({ description: "matching alerts outside the cooldown of a previous start" }),
    is_partial: Type.Boolean({ description: "whether only the alerts since covered_from were counted" }),
    covered_from: TimeOrNull,
    sample_ids: Type.Array(Type.String(), { description: "the newest 20" }),
    interval_s: Type.Integer(),
    buckets: Type.Array(Type.Object({ at: Time, count: Type.Integer() })),
    playbook: Type.Object({
      id: Type.String(),
      name: Type.String(),
      enabled: Type.Boolean(),
      needs_approval: Type.Boolean({ description: "whether each start waits for an approval" }),
      leaves_platform: Type.Boolean(),
      steps: Type.Array(StartedStep),
    }),
  },
  { title: "AutomationPreview" },
);
export type AutomationPreview = Static<typeof AutomationPreviewBody>;

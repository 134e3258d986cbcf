import Type, { type Static } from "typebox";
import { TimeOrNull } from "../../foundation/schema/fields.schema.ts";

const MAX_MINUTES = 525_600;
const Minutes = Type.Union([Type.Integer({ minimum: 1, maximum: MAX_MINUTES }), Type.Null()]);

/** Null means no target. */
export const SlaTargets = Type.Object(
  { respond_minutes: Minutes, resolve_minutes: Minutes },
  { title: "SlaTargets", additionalProperties: false },
);
export type SlaTargets = Static<typeof SlaTargets>;

export const SlaSettings = Type.Object(
  { info: SlaTargets, low: SlaTargets, medium: SlaTargets, high: SlaTargets, critical: SlaTargets },
  { title: "SlaSettings", additionalProperties: false },
);
export type SlaSettings = Static<typeof SlaSettings>;

const SLA_STATES = ["ok", "near", "breached", "met"] as const;

export const SlaBody = Type.Object(
  {
    respond_by: TimeOrNull,
    resolve_by: TimeOrNull,
    responded_at: TimeOrNull,
    resolved_at: TimeOrNull,
    state: Type.Union([Type.Enum([...SLA_STATES]), Type.Null()], { description: "null if the case has no target" }),
  },
  { title: "CaseSla" },
);

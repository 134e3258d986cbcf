import Type, { type Static } from "typebox";
import { PageOf } from "../../foundation/lists/lists.schema.ts";

export const SoarRulePath = Type.Object({ id: Type.String() });

/** Rules exist only in the showcase; otherwise automations start playbooks. */
export const SoarRuleBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    condition: Type.String(),
    playbook_id: Type.String(),
    enabled: Type.Boolean(),
  },
  { title: "SoarRule" },
);
export type SoarRule = Static<typeof SoarRuleBody>;

export const SoarRulesPage = PageOf(SoarRuleBody);
export const ToggledRuleBody = Type.Object(
  { ...SoarRuleBody.properties, persisted: Type.Boolean() },
  { title: "ToggledRule" },
);

import Type, { type Static } from "typebox";
import { RuleFilters, UpdateRuleRequest } from "./rules.schema.ts";

const { enabled, alert_severity, tags } = UpdateRuleRequest.properties;

/** Selects rules by their ids or by the filters of the list, and one change for all of them. */
export const BulkRulesRequest = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 500 })),
    // Open, so that an unknown name can be refused: an ignored filter would select more rules.
    filter: Type.Optional(Type.Object({ ...RuleFilters.properties }, { additionalProperties: true })),
    /** The expected number of selected rules. */
    expected_total: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    enabled,
    severity: alert_severity,
    tags_add: tags,
    tags_remove: tags,
    delete: Type.Optional(Type.Boolean()),
  },
  { title: "BulkRulesRequest", additionalProperties: false },
);
export type BulkRulesRequest = Static<typeof BulkRulesRequest>;

/** A rule that already has the requested state is not changed and gets no new version. */
export const BulkRulesBody = Type.Object(
  {
    total: Type.Integer(),
    changed: Type.Integer(),
    deleted: Type.Integer(),
  },
  { title: "BulkRules" },
);

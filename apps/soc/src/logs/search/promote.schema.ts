import Type, { type Static } from "typebox";
import { AlertBody } from "../../alerts/alerts/alerts.schema.ts";
import { CaseBody } from "../../cases/cases/cases.schema.ts";

const PromoteLogRequest = Type.Object(
  {
    create_case: Type.Optional(Type.Boolean()),
    rule_id: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()])),
  },
  { title: "PromoteLogRequest", additionalProperties: false },
);
export type PromoteLogRequest = Static<typeof PromoteLogRequest>;
/** Both fields are optional, and so is the body. */
export const PromoteLogBody = Type.Unsafe<PromoteLogRequest | null>({ ...PromoteLogRequest, type: ["object", "null"] });

export const PromotedBody = Type.Object(
  { alert: AlertBody, case: Type.Union([CaseBody, Type.Null()]) },
  { title: "PromotedLog" },
);
export type PromotedBody = Static<typeof PromotedBody>;

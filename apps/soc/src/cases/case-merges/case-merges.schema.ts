import Type, { type Static } from "typebox";
import { Id } from "../../foundation/schema/fields.schema.ts";
import { CaseBody } from "../cases/cases.schema.ts";

export const MergeParams = Type.Object({ case_id: Type.String() });

export const MergeRequest = Type.Object(
  { from: Type.Array(Id, { minItems: 1, maxItems: 20 }) },
  { title: "MergeCasesRequest", additionalProperties: false },
);
export type MergeRequest = Static<typeof MergeRequest>;

const MovedBody = Type.Object(
  {
    alerts: Type.Integer(),
    observables: Type.Integer(),
    unified: Type.Integer({ description: "observables that the case already had; the history keeps them" }),
    evidence: Type.Integer(),
    comments: Type.Integer(),
    tasks: Type.Integer(),
  },
  { title: "MovedItems" },
);
export type MovedItems = Static<typeof MovedBody>;

export const MergedBody = Type.Object({ case: CaseBody, moved: MovedBody }, { title: "MergedCases" });

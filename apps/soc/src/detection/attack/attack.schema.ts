import Type from "typebox";
import { Time } from "../../foundation/schema/fields.schema.ts";

const Covering = { rule_count: Type.Integer(), rule_ids: Type.Array(Type.String()) };

/** The public data by its own shape, which the importer reads and refuses in detail. */
export const ImportAttackRequest = Type.Object({}, { additionalProperties: true, minProperties: 1, maxProperties: 10 });

export const ImportedAttackBody = Type.Object({
  imported_at: Time,
  imported_by: Type.String(),
  matrices: Type.Array(Type.Object({ name: Type.String(), tactics: Type.Integer(), techniques: Type.Integer() })),
});

/** Of enabled rules. `rule_ids` are the first of all that `rule_count` counts. */
export const CoverageBody = Type.Object({
  imported_at: Type.Union([Time, Type.Null()]),
  tactics: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      shortname: Type.String(),
      matrix: Type.String(),
      techniques: Type.Integer(),
      covered: Type.Integer(),
    }),
  ),
  techniques: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), tactics: Type.Array(Type.String()), ...Covering }),
  ),
  unknown: Type.Array(Type.Object({ id: Type.String(), ...Covering })),
});

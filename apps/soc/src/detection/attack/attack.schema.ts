import Type from "typebox";
import { Time } from "../../foundation/schema/fields.schema.ts";

const Covering = { rule_count: Type.Integer(), rule_ids: Type.Array(Type.String()) };

/** The ATT&CK data in its own format; the importer validates it in detail. */
export const ImportAttackRequest = Type.Object({}, { additionalProperties: true, minProperties: 1, maxProperties: 10 });

export const ImportedAttackBody = Type.Object({
  imported_at: Time,
  imported_by: Type.String(),
  matrices: Type.Array(Type.Object({ name: Type.String(), tactics: Type.Integer(), techniques: Type.Integer() })),
});

/** Covers enabled rules. `rule_count` counts all rules, `rule_ids` lists the first of them. */
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

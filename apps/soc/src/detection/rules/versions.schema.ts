import Type from "typebox";

const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const VersionParams = Type.Object({ rule_id: Type.String(), version: Version });

export const VersionsParams = Type.Object({ rule_id: Type.String(), from: Version, to: Version });

export const RuleDiffBody = Type.Object(
  {
    /** The fields that differ, in the order of the record. */
    fields: Type.Array(Type.Object({ name: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
    /** The diff of the exported documents of both versions, in the format of diff(1). */
    unified: Type.String(),
  },
  { title: "RuleDiff" },
);

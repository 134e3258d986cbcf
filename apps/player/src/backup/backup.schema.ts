import Type, { type Static } from "typebox";

/** One field for each part; the part itself defines the content of its field. */
export const BackupBody = Type.Object(
  {},
  { title: "Backup", additionalProperties: true, description: "settings, favorites, …" },
);
export type BackupBody = Static<typeof BackupBody>;

export const RestoreResult = Type.Object(
  {
    success: Type.Boolean(),
    restored: Type.Array(Type.String(), { description: "the parts of the backup" }),
  },
  { title: "RestoreResult" },
);

import Type, { type Static } from "typebox";

const path = Type.String({ minLength: 1, maxLength: 4096 });

export const RenameRequest = Type.Object(
  {
    path,
    to: Type.String({
      minLength: 1,
      maxLength: 512,
      description: "the new path: of a reciter's folder, or of a file, which keeps its extension",
    }),
  },
  { title: "RenameFileRequest", additionalProperties: false },
);
export type RenameRequest = Static<typeof RenameRequest>;

export const RenameResult = Type.Object(
  {
    success: Type.Boolean(),
    path: Type.String(),
    not_followed: Type.Array(Type.Object({ type: Type.Literal("schedule"), id: Type.Integer(), name: Type.String() }), {
      description: "what still names the former path",
    }),
  },
  { title: "RenameFileResult" },
);
export type RenameResult = Static<typeof RenameResult>;

export const RemoveQuery = Type.Object({ path });
export const RemoveResult = Type.Object({ success: Type.Boolean() }, { title: "RemoveFileResult" });

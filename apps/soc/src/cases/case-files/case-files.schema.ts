import Type, { type Static } from "typebox";
import { TextOrNull, Time } from "../../foundation/schema/fields.schema.ts";

export const CaseFilesParams = Type.Object({ case_id: Type.String() });
export const CaseFileParams = Type.Object({ case_id: Type.String(), file_id: Type.String() });

/** The body of the request is the file itself. */
export const UploadQuery = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  evidence_type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  location: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  sha256: Type.Optional(Type.String({ pattern: "^[0-9A-Fa-f]{64}$" })),
});
export type UploadQuery = Static<typeof UploadQuery>;

export const CaseFileBody = Type.Object(
  {
    id: Type.String({ description: "also the id of its evidence" }),
    name: Type.String(),
    evidence_type: Type.String(),
    location: TextOrNull,
    size_bytes: Type.Integer(),
    sha256: Type.String(),
    uploaded_by: Type.String(),
    created_at: Time,
  },
  { title: "CaseFile" },
);

/** The file with the ledger entry of its evidence. */
export const StoredCaseFileBody = Type.Object(
  {
    ...CaseFileBody.properties,
    ledger: Type.Object({ sequence: Type.Integer(), previous_hash: Type.String(), entry_hash: Type.String() }),
  },
  { title: "StoredCaseFile" },
);

import Type, { type Static } from "typebox";

/** Larger than any surah that is recorded with loss, and below what FAT can hold. */
export const MAX_UPLOAD_BYTES = 2 * 1024 * 1024 * 1024;
export const PIECE_BYTES = 8 * 1024 * 1024;

const kind = Type.Enum(["recitation", "adhan"]);
const bytes = Type.Integer({ minimum: 1, maximum: MAX_UPLOAD_BYTES });
const fingerprint = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "the sender's name for the content: the same file has the same fingerprint",
});

export const CreateUploadRequest = Type.Object(
  {
    kind,
    reciter: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "of a recitation" })),
    surah: Type.Optional(Type.Integer({ minimum: 1, maximum: 114, description: "of a recitation" })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "of an adhan" })),
    bytes,
    fingerprint,
    replace: Type.Optional(Type.Boolean({ description: "whether a file that is in this place may be replaced" })),
  },
  { title: "CreateUploadRequest", additionalProperties: false },
);
export type CreateUploadRequest = Static<typeof CreateUploadRequest>;

/** An unfinished upload, as it is kept on the card. */
export const StoredUpload = Type.Object({
  id: Type.String(),
  kind,
  reciter: Type.String(),
  surah: Type.Integer({ minimum: 0, maximum: 114 }),
  name: Type.String(),
  bytes,
  fingerprint,
  replace: Type.Boolean(),
  changed_at: Type.Integer(),
  offset: Type.Integer({ minimum: 0 }),
});
export type StoredUpload = Static<typeof StoredUpload>;

export const UploadBody = Type.Object(
  {
    id: Type.String(),
    kind,
    reciter: Type.String({ description: "empty for an adhan" }),
    surah: Type.Integer({ description: "0 for an adhan" }),
    name: Type.String({ description: "empty for a recitation" }),
    bytes: Type.Integer(),
    fingerprint: Type.String(),
    offset: Type.Integer({ description: "the bytes that have arrived; the next piece begins here" }),
    changed_at: Type.Integer({ description: "epoch seconds" }),
    complete: Type.Boolean({ description: "the file is in its place on the card" }),
    path: Type.String({ description: "the path on the card when it is complete; empty before" }),
  },
  { title: "Upload" },
);
export type UploadBody = Static<typeof UploadBody>;

export const UploadsBody = Type.Object(
  {
    card: Type.Enum(["ready", "read_only", "missing"]),
    free_bytes: Type.Integer({ description: "room for new uploads; 0 without a card that can be written" }),
    max_bytes: Type.Integer({ description: "the largest file" }),
    piece_bytes: Type.Integer({ description: "the largest piece" }),
    uploads: Type.Array(UploadBody),
  },
  { title: "UploadList" },
);
export type UploadsBody = Static<typeof UploadsBody>;

export const UploadParams = Type.Object({ id: Type.String() });
export const PieceQuery = Type.Object({
  offset: Type.Integer({ minimum: 0, maximum: MAX_UPLOAD_BYTES }),
  sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$", description: "of the piece" })),
});
export type PieceQuery = Static<typeof PieceQuery>;

export const CreateUploadResult = Type.Object(
  {
    success: Type.Boolean(),
    created: Type.Boolean({ description: "false: the upload existed already and continues" }),
    ...UploadBody.properties,
  },
  { title: "CreateUploadResult" },
);
export const PieceResult = Type.Object(
  { success: Type.Boolean(), ...UploadBody.properties },
  { title: "UploadPieceResult" },
);
export const CancelUploadResult = Type.Object({ success: Type.Boolean() }, { title: "CancelUploadResult" });

export const UploadsChange = Type.Object({
  action: Type.Enum(["added", "continued", "finished", "removed"]),
  count: Type.Integer({ description: "the current number of unfinished uploads" }),
});
export type UploadsChange = Static<typeof UploadsChange>;

import Type, { type Static } from "typebox";
import { PageOf } from "../../foundation/lists/lists.schema.ts";

const Name = Type.String({ minLength: 1, maxLength: 200 });

export const IngestQuery = Type.Object({ source: Type.Optional(Name), site: Type.Optional(Name) });
export type IngestQuery = Static<typeof IngestQuery>;

export const IngestHeaders = Type.Object({
  "x-batch-id": Type.Optional(Name),
  "content-encoding": Type.Optional(Type.String({ maxLength: 100 })),
  "content-type": Type.Optional(Type.String({ maxLength: 200 })),
});
export type IngestHeaders = Static<typeof IngestHeaders>;

export const IngestAnswer = Type.Object({
  accepted: Type.Integer(),
  rejected: Type.Integer(),
  dead_letter_ids: Type.Array(Type.String()),
});

export const HecAnswer = Type.Object({ text: Type.String(), code: Type.Integer() });

export const DeadLetterBody = Type.Object({
  id: Type.String(),
  at: Type.String({ format: "date-time" }),
  format: Type.String(),
  sender: Type.String(),
  site: Type.String(),
  source: Type.String(),
  reason: Type.String(),
  raw: Type.String(),
  is_cut: Type.Boolean(),
});
export type DeadLetterBody = Static<typeof DeadLetterBody>;
export const DeadLetterPage = PageOf(DeadLetterBody);

export const DeadLetterPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

/** A text to parse instead of the stored one. */
export const ReplayRequest = Type.Object(
  { raw: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 * 1024 })) },
  { additionalProperties: false },
);
export type ReplayRequest = Static<typeof ReplayRequest>;

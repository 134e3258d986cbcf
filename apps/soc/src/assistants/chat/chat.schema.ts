import Type, { type Static } from "typebox";
import { Id } from "../../foundation/schema/fields.schema.ts";

export const ChatRequest = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 4000 }),
    conversation_id: Type.Optional(Id),
  },
  { title: "ChatRequest", additionalProperties: false },
);
export type ChatRequest = Static<typeof ChatRequest>;

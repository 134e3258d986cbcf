import Type, { type Static } from "typebox";
import { TimeOrNull } from "../schema/fields.schema.ts";

export const SearchQuery = Type.Object({
  q: Type.String({ minLength: 2, maxLength: 200 }),
  kinds: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { minItems: 1, maxItems: 20 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: "of each kind; 5 when left out" })),
});
export type SearchQuery = Static<typeof SearchQuery>;

export const SearchBody = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        kind: Type.String(),
        id: Type.String(),
        title: Type.String(),
        subtitle: Type.String(),
        at: TimeOrNull,
      }),
    ),
    kinds: Type.Array(Type.String(), { description: "the kinds that were searched to the end" }),
    is_partial: Type.Boolean({ description: "whether a kind did not answer in time" }),
  },
  { title: "SearchResult" },
);
export type SearchBody = Static<typeof SearchBody>;

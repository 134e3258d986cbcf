import Type from "typebox";

const SearchId = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,64}$",
  description: "a name that the client gives its search, so that it can cancel it",
});

/** The parameters of every search. */
export const SEARCH_ID = { search_id: Type.Optional(SearchId) };
export const SearchIdQuery = Type.Object(SEARCH_ID);
export const SearchParams = Type.Object({ search_id: Type.String() });
export const CancelledBody = Type.Object(
  {
    search_id: Type.String(),
    cancelled: Type.Integer({ description: "how many requests with this search_id were stopped" }),
  },
  { title: "CancelledSearch" },
);

import Type, { type Static } from "typebox";

const FAVORITE_TYPES = ["surah", "stream"] as const;

/** Sent when a list changed: a client that shows the list fetches it again. */
export const ListChange = Type.Object({
  action: Type.Enum(["added", "removed", "played", "replaced"], {
    description: "added: also when it existed already; replaced: all of them, by a backup or a reset",
  }),
  id: Type.Integer({ description: "0 when all were replaced" }),
  count: Type.Integer({ description: "the current number" }),
});
export type ListChange = Static<typeof ListChange>;

export const FavoriteBody = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Enum([...FAVORITE_TYPES]),
    reciter: Type.String({ description: "empty for a stream" }),
    surah: Type.Integer({ description: "0 for a stream" }),
    url: Type.String({ description: "empty for a surah" }),
    name: Type.String({ description: "empty for a surah" }),
    available: Type.Boolean({ description: "false for a surah that is not on the card now" }),
    play_count: Type.Integer(),
    last_played: Type.Union([Type.Integer(), Type.Null()], { description: "epoch seconds" }),
    created_at: Type.Integer({ description: "epoch seconds" }),
  },
  { title: "Favorite" },
);
export type FavoriteBody = Static<typeof FavoriteBody>;
export const FavoritesBody = Type.Object({ favorites: Type.Array(FavoriteBody) }, { title: "FavoriteList" });

/**
 * The fields of a favorite depend on its type; fields of the other type are ignored, so a client may send all of them.
 */
export const FavoriteRequest = Type.Object(
  {
    type: Type.Enum([...FAVORITE_TYPES]),
    reciter: Type.Optional(Type.Unknown()),
    surah: Type.Optional(Type.Unknown()),
    url: Type.Optional(Type.Unknown()),
    name: Type.Optional(Type.Unknown()),
  },
  { title: "FavoriteRequest", additionalProperties: false },
);
export type FavoriteRequest = Static<typeof FavoriteRequest>;

export const SurahFavorite = Type.Object({
  type: Type.Literal("surah"),
  reciter: Type.String({ minLength: 1, maxLength: 200 }),
  surah: Type.Integer({ minimum: 1, maximum: 114 }),
});
export const StreamFavorite = Type.Object({
  type: Type.Literal("stream"),
  url: Type.String({ minLength: 1, maxLength: 1024 }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
});

export const AddFavoriteResult = Type.Object(
  {
    success: Type.Boolean(),
    id: Type.Integer(),
    created: Type.Boolean({ description: "false when it existed already" }),
  },
  { title: "AddFavoriteResult" },
);
export const ToggleFavoriteResult = Type.Object(
  {
    success: Type.Boolean(),
    favorited: Type.Boolean(),
    id: Type.Integer(),
  },
  { title: "ToggleFavoriteResult" },
);
export const FavoriteParams = Type.Object({ id: Type.String() });
export const RemoveFavoriteResult = Type.Object({ success: Type.Boolean() }, { title: "RemoveFavoriteResult" });

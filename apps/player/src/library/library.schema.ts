import Type, { type Static } from "typebox";

/** The progress of a scan, and whether a card is inserted. */
export const LibraryChange = Type.Object({
  card: Type.Boolean(),
  scanning: Type.Boolean(),
  reciters: Type.Integer(),
  surahs: Type.Integer(),
});
export type LibraryChange = Static<typeof LibraryChange>;

export const RecitersBody = Type.Object(
  {
    reciters: Type.Array(
      Type.Object({
        name: Type.String(),
        path: Type.String(),
        surah_count: Type.Integer(),
        complete: Type.Boolean({ description: "all 114 surahs exist" }),
        bytes: Type.Integer({ description: "total size of the playable files; 0 until it is measured" }),
      }),
    ),
    scanning: Type.Boolean(),
    scanned_at: Type.Union([Type.Integer(), Type.Null()], { description: "epoch seconds" }),
    reports: Type.Array(Type.Object({ path: Type.String(), problem: Type.String() })),
    reports_left_off: Type.Integer({ description: "number of reports that were left off" }),
  },
  { title: "Reciters" },
);
export type RecitersBody = Static<typeof RecitersBody>;

export const SurahsQuery = Type.Object({ reciter: Type.String({ minLength: 1, maxLength: 1024 }) });

export const SurahsBody = Type.Object(
  {
    reciter: Type.String(),
    count: Type.Integer(),
    available: Type.Array(Type.Boolean(), { description: "114 entries: index 0 is surah 1" }),
    names: Type.Array(Type.String()),
    names_ar: Type.Array(Type.String()),
    paths: Type.Array(Type.Union([Type.String(), Type.Null()])),
  },
  { title: "Surahs" },
);
export type SurahsBody = Static<typeof SurahsBody>;

export const FilesQuery = Type.Object({
  path: Type.Optional(Type.String({ description: "the root of the card by default" })),
});

export const FilesBody = Type.Object(
  {
    path: Type.String(),
    folders: Type.Array(Type.Object({ name: Type.String(), path: Type.String() })),
    files: Type.Array(
      Type.Object({
        name: Type.String(),
        path: Type.String(),
        bytes: Type.Integer(),
        surah: Type.Integer({ description: "0 when the name has no surah number" }),
      }),
    ),
    left_off: Type.Integer({ description: "number of entries that were left off" }),
  },
  { title: "CardFiles" },
);
export type FilesBody = Static<typeof FilesBody>;

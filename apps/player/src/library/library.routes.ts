import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { FilesBody, FilesQuery, RecitersBody, SurahsBody, SurahsQuery } from "./library.schema.ts";
import type { LibraryService } from "./library.service.ts";

type Library = Pick<LibraryService, "reciters" | "surahs" | "files">;

export function libraryRoutes(library: Library): FastifyPluginAsyncTypebox {
  const config = { access: "none", budget: "read" } as const;
  return async (app) => {
    app.get(
      "/library/reciters",
      { config, schema: { operationId: "listReciters", summary: "List reciters", response: { 200: RecitersBody } } },
      async () => library.reciters(),
    );
    app.get(
      "/library/surahs",
      {
        config,
        schema: {
          operationId: "listSurahs",
          summary: "List the surahs of a reciter",
          description: "114 slots with the names of the surahs. 400 without `reciter`, 404 if it is unknown.",
          querystring: SurahsQuery,
          response: { 200: SurahsBody },
        },
      },
      async ({ query }) => library.surahs(query.reciter),
    );
    app.get(
      "/library/files",
      {
        config,
        schema: {
          operationId: "listLibraryFiles",
          summary: "List the files of a folder",
          description:
            "`path` is a folder; without it, the top of the card. At most 1,000 entries; `left_off` counts the others.",
          querystring: FilesQuery,
          response: { 200: FilesBody },
        },
      },
      async ({ query }) => library.files(query.path),
    );
  };
}

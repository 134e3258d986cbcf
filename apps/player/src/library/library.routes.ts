import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { FilesBody, FilesQuery, RecitersBody, SurahsBody, SurahsQuery } from "./library.schema.ts";
import type { LibraryService } from "./library.service.ts";

type Library = Pick<LibraryService, "reciters" | "surahs" | "files">;

export function libraryRoutes(library: Library): FastifyPluginAsyncTypebox {
  const config = { access: "none", budget: "read" } as const;
  return async (app) => {
    app.get("/library/reciters", { config, schema: { response: { 200: RecitersBody } } }, async () =>
      library.reciters(),
    );
    app.get(
      "/library/surahs",
      { config, schema: { querystring: SurahsQuery, response: { 200: SurahsBody } } },
      async ({ query }) => library.surahs(query.reciter),
    );
    app.get(
      "/library/files",
      { config, schema: { querystring: FilesQuery, response: { 200: FilesBody } } },
      async ({ query }) => library.files(query.path),
    );
  };
}

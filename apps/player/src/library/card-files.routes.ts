import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { RemoveQuery, RemoveResult, RenameRequest, RenameResult } from "./card-files.schema.ts";
import type { CardFilesService } from "./card-files.service.ts";
import type { CardMove } from "./card-move.ts";

/** Lets what names the former path name the new one. Returns what still names the former one. */
type Follow = (move: CardMove) => Promise<Pick<RenameResult, "not_followed">>;

export function cardFilesRoutes(
  cardFiles: Pick<CardFilesService, "rename" | "remove">,
  follow: Follow,
): FastifyPluginAsyncTypebox {
  const config = { access: "token", budget: "mutation" } as const;
  return async (app) => {
    app.post(
      "/library/files/rename",
      {
        config,
        schema: {
          operationId: "renameLibraryFile",
          summary: "Rename a file or a folder",
          body: RenameRequest,
          response: { 200: RenameResult },
        },
      },
      async ({ body }) => {
        const move = await cardFiles.rename(body.path, body.to);
        return { success: true, path: move.to, ...(await follow(move)) };
      },
    );
    app.delete(
      "/library/files",
      {
        config,
        schema: {
          operationId: "deleteLibraryFile",
          summary: "Delete a file or an empty folder",
          querystring: RemoveQuery,
          response: { 200: RemoveResult },
        },
      },
      async ({ query }) => {
        await cardFiles.remove(query.path);
        return { success: true };
      },
    );
  };
}

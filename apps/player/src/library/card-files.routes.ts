import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { RemoveQuery, RemoveResult, RenameRequest, RenameResult } from "./card-files.schema.ts";
import type { CardFilesService } from "./card-files.service.ts";
import type { CardMove } from "./card-move.ts";

/** Updates everything that names the former path. Returns what still names it. */
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
          description:
            "`path` and `to` are a reciter's folder, or a file of one, which keeps its extension. `not_followed` lists what still names the former path.",
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
          summary: "Delete a file or a folder",
          description: "`path` is a file, or a reciter's folder, which is removed with its files.",
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

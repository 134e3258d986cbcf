import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import {
  AddFavoriteResult,
  FavoriteParams,
  FavoriteRequest,
  FavoritesBody,
  RemoveFavoriteResult,
  ToggleFavoriteResult,
} from "./favorites.schema.ts";
import type { FavoritesService } from "./favorites.service.ts";

const mutation = { access: "token", budget: "mutation" } as const;

export function favoritesRoutes(favorites: FavoritesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/favorites",
      {
        config: { access: "none", budget: "read" },
        schema: { operationId: "listFavorites", summary: "List favorites", response: { 200: FavoritesBody } },
      },
      async () => ({ favorites: favorites.list() }),
    );
    app.post(
      "/favorites",
      {
        config: mutation,
        schema: {
          operationId: "addFavorite",
          summary: "Add a favorite",
          body: FavoriteRequest,
          response: { 200: AddFavoriteResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await favorites.add(body)) }),
    );
    app.delete(
      "/favorites/:id",
      {
        config: mutation,
        schema: {
          operationId: "deleteFavorite",
          summary: "Delete a favorite",
          description: "404 if unknown.",
          params: FavoriteParams,
          response: { 200: RemoveFavoriteResult },
        },
      },
      async ({ params }) => {
        favorites.remove(params.id);
        return { success: true };
      },
    );
    app.post(
      "/favorites/toggle",
      {
        config: mutation,
        schema: {
          operationId: "toggleFavorite",
          summary: "Add or remove a favorite",
          body: FavoriteRequest,
          response: { 200: ToggleFavoriteResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await favorites.toggle(body)) }),
    );
  };
}

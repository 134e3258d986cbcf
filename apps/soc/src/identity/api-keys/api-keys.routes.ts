import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { Deleted, PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { ApiKeyBody, ApiKeyPath, CreateApiKeyRequest, NewApiKeyBody } from "./api-keys.schema.ts";
import type { ApiKeysService } from "./api-keys.service.ts";

export function apiKeysRoutes(apiKeys: ApiKeysService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/api-keys",
      {
        config: { needs: "role:admin" },
        schema: {
          operationId: "listApiKeys",
          summary: "List API keys",
          querystring: PageQuery,
          response: { 200: PageOf(ApiKeyBody) },
        },
      },
      async ({ query }) => apiKeys.list(query),
    );

    app.post(
      "/api-keys",
      {
        config: { needs: "role:admin", effect: "change", stepUp: true },
        schema: {
          operationId: "createApiKey",
          summary: "Create an API key",
          body: CreateApiKeyRequest,
          response: { 200: PreviewOf(ApiKeyBody), 201: NewApiKeyBody },
        },
      },
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => apiKeys.create(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );

    app.delete(
      "/api-keys/:id",
      {
        config: { needs: "role:admin", effect: "change", stepUp: true },
        schema: {
          operationId: "revokeApiKey",
          summary: "Revoke an API key",
          params: ApiKeyPath,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const revoked = await changes.run(request, (tx, caller) => apiKeys.revoke(tx, caller, id));
        apiKeys.forgetRevoked();
        return answer(reply, 200, revoked);
      },
    );
  };
}

import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { ApiKeyBody, ApiKeyPath, CreateApiKeyRequest, NewApiKeyBody } from "./api-keys.schema.ts";
import type { ApiKeysService } from "./api-keys.service.ts";

export function apiKeysRoutes(apiKeys: ApiKeysService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/api-keys",
      operation(
        "listApiKeys",
        "List API keys",
        { needs: "role:admin" },
        { querystring: PageQuery, response: { 200: PageOf(ApiKeyBody) } },
      ),
      async ({ query }) => apiKeys.list(query),
    );

    app.post(
      "/api-keys",
      operation(
        "createApiKey",
        "Create an API key",
        { needs: "role:admin", effect: "change", stepUp: true },
        {
          description:
            "The key is shown only in this answer. It may do what both its scopes and the role of its owner allow, and ends with its owner. `owner` defaults to the caller, `expires_at` to a year from now.",
          body: CreateApiKeyRequest,
          response: { 200: PreviewOf(ApiKeyBody), 201: NewApiKeyBody },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) => apiKeys.create(tx, caller, request.body)),
    );

    app.delete(
      "/api-keys/:id",
      operation(
        "revokeApiKey",
        "Revoke an API key",
        { needs: "role:admin", effect: "change", stepUp: true },
        { params: ApiKeyPath, response: { 200: WithPreviewOf(Deleted) } },
      ),
      async (request, reply) => {
        const { id } = request.params;
        const revoked = await changes.run(request, (tx, caller) => apiKeys.revoke(tx, caller, id));
        apiKeys.forgetRevoked();
        return answer(reply, 200, revoked);
      },
    );
  };
}

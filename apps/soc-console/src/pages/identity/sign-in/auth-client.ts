import type { TokenBody, TokenRequest } from "@soc/service/contract/identity/auth/auth";
import { type ApiClient, isRecord } from "../../../app/api/api-client.ts";

export type AuthClient = ReturnType<typeof createAuthClient>;

export function createAuthClient(api: ApiClient) {
  return {
    requestToken: (request: TokenRequest) => api.post("/auth/token", request, isTokenBody),
  };
}

function isTokenBody(body: unknown): body is TokenBody {
  return isRecord(body) && typeof body.access_token === "string";
}

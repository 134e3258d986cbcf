import type {
  FactorOptionsRequest,
  MethodsBody,
  TokenBody,
  TokenRequest,
} from "@soc/service/contract/identity/auth/auth";
import type { AssertionBody, RequestOptionsBody } from "@soc/service/contract/identity/webauthn/webauthn";
import { type ApiClient, isRecord } from "../../../app/api/api-client.ts";

export type AuthClient = ReturnType<typeof createAuthClient>;

export function createAuthClient(api: ApiClient) {
  return {
    readMethods: () => api.get("/auth/methods", isMethodsBody),
    requestToken: (request: TokenRequest) => api.post("/auth/token", request, isTokenBody),
    /** What the browser needs to sign with a key of this user. */
    requestKeyOptions: (request: FactorOptionsRequest) => api.post("/auth/webauthn/options", request, isOptionsBody),
    requestPasskeyOptions: () => api.post("/auth/passkey/options", {}, isOptionsBody),
    requestTokenByPasskey: (credential: AssertionBody) => api.post("/auth/passkey", { credential }, isTokenBody),
  };
}

function isTokenBody(body: unknown): body is TokenBody {
  return isRecord(body) && typeof body.access_token === "string";
}

function isMethodsBody(body: unknown): body is MethodsBody {
  return isRecord(body) && isRecord(body.passkey) && Array.isArray(body.factors);
}

function isOptionsBody(body: unknown): body is RequestOptionsBody {
  return isRecord(body) && typeof body.challenge === "string";
}

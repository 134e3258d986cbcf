import type {
  FactorOptionsRequest,
  MethodsBody,
  TokenBody,
  TokenRequest,
} from "@soc/service/contract/identity/auth/auth";
import type { AssertionBody, RequestOptionsBody } from "@soc/service/contract/identity/webauthn/webauthn";
import type { Server } from "../../../app/server/server.ts";
import type { Me } from "../../../app/session/session.ts";

export const readMethods = (server: Server) => server.get<MethodsBody>("/auth/methods", { priority: "user" });

export const readMe = (server: Server) => server.get<Me>("/users/me", { priority: "user" });

export const requestToken = (server: Server, request: TokenRequest) => server.post<TokenBody>("/auth/token", request);

/** Options for the browser to sign with a key of this user. */
export const requestKeyOptions = (server: Server, request: FactorOptionsRequest) =>
  server.post<RequestOptionsBody>("/auth/webauthn/options", request);

export const requestPasskeyOptions = (server: Server) => server.post<RequestOptionsBody>("/auth/passkey/options", {});

export const requestTokenByPasskey = (server: Server, credential: AssertionBody) =>
  server.post<TokenBody>("/auth/passkey", { credential });

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";

/** An OpenID provider that answers the token endpoint with whatever a test forges. */
export async function startLyingProvider() {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const published = { ...(await exportJWK(publicKey)), kid: "real", use: "sig", alg: "RS256" };
  let answer: unknown = {};
  let requests = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://x");
    const documents: Record<string, unknown> = {
      "/.well-known/openid-configuration": metadata(),
      "/jwks": { keys: [published] },
      "/token": answer,
    };
    requests += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(documents[pathname] ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    authorization_response_iss_parameter_supported: true,
    end_session_endpoint: `${issuer}/end`,
  });

  return {
    issuer,
    privateKey,
    published,
    /** How many requests have arrived. */
    countRequests: () => requests,
    answerWith(next: unknown) {
      answer = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
export type LyingProvider = Awaited<ReturnType<typeof startLyingProvider>>;

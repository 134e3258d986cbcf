import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import Provider, { type Configuration } from "oidc-provider";

export interface OidcAccount {
  groups: string[];
  email?: string;
}

export interface OidcProviderOptions {
  client_id: string;
  client_secret: string;
  redirect_uris: string[];
  backchannel_logout_uri?: string;
  post_logout_redirect_uris?: string[];
  accounts: Map<string, OidcAccount>;
}

/** A real OpenID provider on loopback whose sign-in form takes any password. */
export async function startOidcProvider(options: OidcProviderOptions) {
  const { accounts, ...client } = options;
  let handle: (...exchange: Parameters<RequestListener>) => unknown = (_request, response) => response.end();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  const configuration = (keys: JWK[]): Configuration => ({
    clients: [{ ...client, backchannel_logout_session_required: true }],
    jwks: { keys },
    claims: { openid: ["sub", "preferred_username", "email", "groups"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    // The default fetch refuses loopback.
    fetch: (url, { method = "GET", headers = {}, body = null } = {}) => fetch(url, { method, headers, body }),
    cookies: { keys: ["a key of a test"] },
    findAccount: (_context, id) => {
      const account = accounts.get(id);
      if (!account) return undefined;
      return { accountId: id, claims: async () => ({ sub: `subject of ${id}`, preferred_username: id, ...account }) };
    },
    // Skips the consent form.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        ...(oidc.client && { clientId: oidc.client.clientId }),
        ...(oidc.session?.accountId !== undefined && { accountId: oidc.session.accountId }),
      });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  });

  /** Starts with new keys; the old ones are no longer published. */
  async function rotateKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: `key-${crypto.randomUUID()}`, use: "sig", alg: "RS256" };
    handle = new Provider(issuer, configuration([key])).callback();
  }
  await rotateKeys();

  /** Sends one request of a browser, which stores the cookies that it receives. */
  async function visit(url: URL, cookies: Map<string, string>, body?: URLSearchParams): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const posted = body ? { method: "POST", body } : {};
    const answer = await fetch(url, { redirect: "manual", headers: { cookie }, ...posted });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return answer;
  }

  /** Follows the redirects of a sign-in until the provider redirects back, and returns that address. */
  async function signIn(location: string, login: string, cookies = new Map<string, string>()): Promise<URL> {
    const form = () => new URLSearchParams({ prompt: "login", login, password: "any" });
    let url = new URL(location);
    let body: URLSearchParams | undefined;
    for (let step = 0; step < 12 && url.origin === issuer; step++) {
      const answer = await visit(url, cookies, body);
      const next = answer.headers.get("location");
      if (next === null && body) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
      // A page without a redirect is the form.
      body = next === null ? form() : undefined;
      url = new URL(next ?? url, url);
    }
    return url;
  }

  /** Ends the session of this browser at the provider, which notifies the client before it responds. */
  async function endSession(endSessionUrl: string, cookies: Map<string, string>): Promise<void> {
    const page = await visit(new URL(endSessionUrl), cookies);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    await visit(new URL(`${issuer}/session/end/confirm`), cookies, new URLSearchParams({ xsrf, logout: "yes" }));
  }

  return {
    issuer,
    rotateKeys,
    signIn,
    endSession,
    /** While it is down, it sends no useful response. */
    goDown() {
      handle = (request) => request.socket.destroy();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type * as OpenIdClient from "openid-client";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import type { OidcProvider } from "./provider.ts";
import { createProviderFetch } from "./provider-fetch.ts";

type Library = typeof OpenIdClient;

/** RFC 7517, section 5. */
const PublishedKeys = Type.Object({
  keys: Type.Array(Type.Object({ kty: Type.String(), kid: Type.Optional(Type.String()) })),
});

/** The keys with which a provider signs. */
export interface ProviderKeys {
  issuer: string;
  keys: Static<typeof PublishedKeys>;
}

export interface ProviderClientsDeps {
  outbound: Pick<OutboundService, "stream">;
  clock: Pick<Clock, "now" | "monotonicMs">;
  log: Pick<Log, "info" | "warn">;
}

/** The values that a provider's response is checked against. */
export interface ExpectedAnswer {
  verifier: string;
  state: string;
  nonce: string;
}

export type ProviderClients = ReturnType<typeof createProviderClients>;

const FRESH_MS = 60 * 60_000;
const KEYS_FRESH_MS = 60_000;
const MIN_READ_MS = 5000;
const TIMEOUT_S = 10;
/** Allows for clock differences between two machines. */
export const PROVIDER_TOLERANCE_S = 30;

/** The client of the providers. */
export function createProviderClients({ outbound, clock, log }: ProviderClientsDeps) {
  const known = new Map<string, { server: OpenIdClient.ServerMetadata; readAtMs: number }>();
  /** The keys of the latest read, also of one that failed or has not ended. */
  const published = new Map<string, { keys: Promise<ProviderKeys>; readAtMs: number }>();
  let loaded: Promise<Library> | undefined;

  /** Loads the library on first use, because most platforms have no provider. */
  function load(): Promise<Library> {
    loaded ??= import("openid-client");
    return loaded;
  }

  async function discover(library: Library, provider: OidcProvider): Promise<OpenIdClient.ServerMetadata> {
    const cached = known.get(provider.id);
    if (cached && clock.monotonicMs() - cached.readAtMs < FRESH_MS) return cached.server;
    const { issuer, client_id } = provider;
    const discovered = await library.discovery(new URL(issuer), client_id, undefined, library.None(), {
      [library.customFetch]: createProviderFetch(outbound, provider),
      timeout: TIMEOUT_S,
      execute: isEncrypted(provider) ? [] : [library.allowInsecureRequests],
    });
    const server = discovered.serverMetadata();
    known.set(provider.id, { server, readAtMs: clock.monotonicMs() });
    return server;
  }

  /** Creates a new configuration for each use, so that the provider's current keys are always read. */
  async function open(provider: OidcProvider) {
    const library = await load();
    const server = await discover(library, provider);
    const metadata = { [library.clockTolerance]: PROVIDER_TOLERANCE_S };
    const config = new library.Configuration(
      server,
      provider.client_id,
      metadata,
      chooseAuthentication(library, server, provider),
    );
    config[library.customFetch] = createProviderFetch(outbound, provider);
    config.timeout = TIMEOUT_S;
    if (!isEncrypted(provider)) library.allowInsecureRequests(config);
    // Without this call the library trusts an ID token from the token endpoint without checking its signature.
    library.enableNonRepudiationChecks(config);
    return { library, config, server };
  }

  /** Runs one exchange. The reason of a failure goes to the log, so that an attacker learns nothing from it. */
  async function attempt<Result>(provider: OidcProvider, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Problem) throw error;
      const problem = toProblem(provider, await load(), error);
      log[problem.kind === "unavailable" ? "warn" : "info"]({ err: error, provider: provider.id }, "sign-in refused");
      throw problem;
    }
  }

  async function fetchKeys(provider: OidcProvider): Promise<ProviderKeys> {
    const { server } = await open(provider);
    if (!server.jwks_uri) throw new Problem("unavailable", `provider '${provider.id}' publishes no keys`);
    const answer = await createProviderFetch(outbound, provider)(server.jwks_uri, {});
    if (!answer.ok) throw new Problem("unavailable", `provider '${provider.id}' answered ${answer.status}`);
    const keys: unknown = await answer.json();
    if (!Value.Check(PublishedKeys, keys))
      throw new Problem("unavailable", `provider '${provider.id}' publishes no keys`);
    return { issuer: server.issuer, keys };
  }

  return {
    /** Builds the address at the provider where the browser continues. */
    buildStart: (provider: OidcProvider, redirect_uri: string, { verifier, state, nonce }: ExpectedAnswer) =>
      attempt(provider, async () => {
        const { library, config } = await open(provider);
        return library.buildAuthorizationUrl(config, {
          redirect_uri,
          scope: provider.scopes.join(" "),
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
          state,
          nonce,
        }).href;
      }),

    /**
     * Returns the verified claims of the user, including those of the userinfo endpoint if the ID token has no groups.
     */
    readClaims: (provider: OidcProvider, answered: URL, { verifier, state, nonce }: ExpectedAnswer) =>
      attempt(provider, async () => {
        const { library, config, server } = await open(provider);
        const granted = await library.authorizationCodeGrant(config, answered, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = granted.claims();
        if (!claims) throw new Error("no ID token");
        // The library does not check this.
        if (claims.iat > clock.now().getTime() / 1000 + PROVIDER_TOLERANCE_S) throw new Error("issued in the future");
        const isWhole = claims[provider.groups_claim] !== undefined && claims[provider.username_claim] !== undefined;
        if (isWhole || !server.userinfo_endpoint) return claims;
        return { ...(await library.fetchUserInfo(config, granted.access_token, claims.sub)), ...claims };
      }),

    /** Returns where the browser ends the session at the provider; undefined if the provider has no such address. */
    buildEnd: (provider: OidcProvider, post_logout_redirect_uri: string) =>
      attempt(provider, async () => {
        const { library, config, server } = await open(provider);
        if (!server.end_session_endpoint) return undefined;
        return library.buildEndSessionUrl(config, { post_logout_redirect_uri }).href;
      }),

    /** Whether the provider calls itself so: as configured or, with a template for many tenants, as it answered. */
    isIssuer: ({ id, issuer }: OidcProvider, claimed: string) =>
      withoutSlash(claimed) === withoutSlash(issuer) || claimed === known.get(id)?.server.issuer,

    /**
     * Returns the issuer and the keys that the provider publishes, which include this one if it has it. Anyone can
     * cause a call, so the keys are read at most once a minute, and every few seconds for a key that is not among them.
     */
    async readKeys(provider: OidcProvider, kid: string | undefined): Promise<ProviderKeys> {
      const { id } = provider;
      const latest = published.get(id);
      const ageMs = latest ? clock.monotonicMs() - latest.readAtMs : Number.POSITIVE_INFINITY;
      if (latest && ageMs < MIN_READ_MS) return latest.keys;
      const found = ageMs < KEYS_FRESH_MS ? await latest?.keys.catch(() => undefined) : undefined;
      if (found && (kid === undefined || found.keys.keys.some((key) => key.kid === kid))) return found;
      const keys = attempt(provider, () => fetchKeys(provider));
      published.set(id, { keys, readAtMs: clock.monotonicMs() });
      return keys;
    },
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

function isEncrypted({ issuer }: OidcProvider): boolean {
  return issuer.startsWith("https:");
}

/** OpenID Connect Discovery: without a list, the provider supports client_secret_basic. */
function chooseAuthentication(library: Library, server: OpenIdClient.ServerMetadata, { client_secret }: OidcProvider) {
  if (client_secret === undefined) return library.None();
  const supported = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  if (supported.includes("client_secret_basic")) return library.ClientSecretBasic(client_secret);
  return library.ClientSecretPost(client_secret);
}

const FIRST_SERVER_ERROR = 500;

function toProblem({ id }: OidcProvider, library: Library, error: unknown): Problem {
  const unavailable = findCause(error, (each) => each instanceof Problem && each.kind === "unavailable");
  const status = error instanceof library.ResponseBodyError ? error.status : 0;
  if (unavailable || status >= FIRST_SERVER_ERROR || hasNoUsefulStatus(error)) {
    return new Problem("unavailable", `provider '${id}' is unreachable; try again later`, { cause: error });
  }
  if (error instanceof library.AuthorizationResponseError) {
    return new Problem("forbidden", `provider '${id}' refused the sign-in`, { cause: error });
  }
  return new Problem("unauthenticated", `the response of provider '${id}' is not valid; sign in again`, {
    cause: error,
  });
}

/** A response outside the protocol, such as the error page of a proxy. */
function hasNoUsefulStatus(error: unknown): boolean {
  const response = findCause(error, (each) => each instanceof Response);
  return response instanceof Response && response.status >= FIRST_SERVER_ERROR;
}

const MAX_CAUSES = 5;

function findCause(error: unknown, isWanted: (each: unknown) => boolean): unknown {
  let each = error;
  for (let depth = 0; depth < MAX_CAUSES && each !== undefined; depth++) {
    if (isWanted(each)) return each;
    each = each instanceof Error ? each.cause : undefined;
  }
  return undefined;
}

import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Journal } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import { retryConflicts } from "../../foundation/runtime/retry-conflicts.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LogoutBody } from "../auth/auth.schema.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import { BY_PASSWORD, type Device } from "../sessions/session.ts";
import type { ProvidedUsersService } from "../users/provided-users.service.ts";
import type { UsersService } from "../users/users.service.ts";
import { ATTEMPT_SECONDS, type SignInAttempts } from "./attempts.ts";
import { readLogoutClaims, verifyLogoutToken } from "./logout-token.ts";
import type { ProviderLogoutBody } from "./oidc.schema.ts";
import type { OidcStore } from "./oidc.store.ts";
import { lacksSecondFactor, type OidcProvider, readIdentity, readRight } from "./provider.ts";
import type { ProviderClients } from "./provider-clients.ts";
import { isLocalPath } from "./return-page.ts";

export interface OidcServiceDeps {
  providers: readonly OidcProvider[];
  /** The address of this service without a trailing slash. */
  publicUrl: string;
  clients: ProviderClients;
  attempts: SignInAttempts;
  store: OidcStore;
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  provided: ProvidedUsersService;
  users: Pick<UsersService, "endTokens">;
  sessions: Pick<SessionsService, "open" | "endAtProvider" | "findProof">;
  auth: Pick<AuthService, "logout">;
  journal: Journal;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "secret">;
}

export type OidcService = ReturnType<typeof createOidcService>;

/** A browser that returns from a provider. */
export interface CallbackRequest {
  device: Device;
  /** The query string after the question mark. */
  search: string;
  cookies: string | undefined;
}

export function createOidcService(deps: OidcServiceDeps) {
  const { providers, publicUrl, clients, attempts, store, db, runtime, provided, users, sessions } = deps;
  const { auth, journal, clock, ids } = deps;

  async function require(id: string): Promise<OidcProvider> {
    const provider = providers.find((each) => each.id === id);
    if (!provider) throw notFound("provider", id);
    const { mode, read_data_source } = await runtime.truth();
    if (mode === "dummy") throw new Problem("forbidden", "Runtime mode 'dummy' contacts no provider");
    if (read_data_source !== "database") throw new Problem("unavailable", "the database is unavailable");
    return provider;
  }

  const formatCallback = ({ id }: OidcProvider) => `${publicUrl}/api/v1/auth/oidc/${id}/callback`;
  const secret = () => ids.secret(32).toString("base64url");

  async function record(provider: string, action: string, name: string, details: object): Promise<void> {
    const change = { actor: `oidc:${provider}`, action, subject_type: "user", subject_id: name };
    await journal.record({ ...change, details: { ...details, provider } });
  }

  /** Each response opens one session, even if two requests deliver it at once. */
  async function acceptOnce(kind: string, provider: string, secretText: string, endsAt: Date): Promise<void> {
    if (await store.use(sha256Hex(JSON.stringify([kind, provider, secretText])), endsAt)) return;
    throw new Problem("unauthenticated", `the response of provider '${provider}' was already used; sign in again`);
  }

  /**
   * Ends every token and every session of the user whom the provider identifies by this subject. Returns the username.
   */
  async function endAccess(id: string, subject: string): Promise<string | undefined> {
    const username = await findName(id, subject);
    if (username !== undefined) await users.endTokens(username);
    return username;
  }

  const findName = (id: string, subject: string) =>
    db.transaction().execute((tx) => provided.findName(tx, id, subject));

  return {
    /** Returns the redirect target and the cookie for the browser. */
    async start(id: string, next = "/"): Promise<{ location: string; cookie: string }> {
      const provider = await require(id);
      if (!isLocalPath(next)) throw invalidField("next", "must be a path of this site");
      const expected = { state: secret(), nonce: secret(), verifier: secret() };
      const location = await clients.buildStart(provider, formatCallback(provider), expected);
      return { location, cookie: await attempts.toCookie({ provider: id, next, ...expected }) };
    },

    async finish(
      id: string,
      { device, search, cookies }: CallbackRequest,
    ): Promise<{ sessionId: string; next: string }> {
      const provider = await require(id);
      const attempt = await attempts.read(cookies);
      if (attempt?.provider !== id) {
        throw new Problem(
          "unauthenticated",
          "this browser has not started this sign-in, or too long ago; sign in again",
        );
      }
      const answered = new URL(`${formatCallback(provider)}${search}`);
      const claims = await clients.readClaims(provider, answered, attempt);
      const endsAt = new Date(clock.now().getTime() + 2 * ATTEMPT_SECONDS * 1000);
      await acceptOnce("answer", id, attempt.state, endsAt);
      if (!readRight(provider, claims)) await endAccess(id, claims.sub);
      const identity = readIdentity(provider, claims);
      const user = await retryConflicts(() => db.transaction().execute((tx) => provided.admit(tx, identity)));
      const provider_sid = typeof claims.sid === "string" ? claims.sid : null;
      const is_pending = lacksSecondFactor(provider, claims);
      const { id: sessionId } = await sessions.open(user, device, {
        ...BY_PASSWORD,
        provider: id,
        provider_sid,
        is_pending,
      });
      await record(id, "auth.signed_in", user.username, { address: device.address });
      return { sessionId, next: attempt.next };
    },

    /** Ends a session, or every session of a user, at the request of the provider. */
    async endByProvider(id: string, token: string): Promise<LogoutBody> {
      const provider = await require(id);
      const isIssuer = (issuer: string) => clients.isIssuer(provider, issuer);
      const claimed = readLogoutClaims(token, provider, isIssuer, clock.now());
      const keys = claimed && (await clients.readKeys(provider, claimed.kid));
      const verified = keys && (await verifyLogoutToken(token, provider, keys, clock.now()));
      if (!verified) throw invalidField("logout_token", `is not a logout token of provider '${id}'`);
      await acceptOnce("logout", id, verified.jti, verified.expiresAt);
      const { sid, subject = "" } = verified;
      if (sid !== undefined) await sessions.endAtProvider(id, sid);
      const username = await (sid === undefined ? endAccess(id, subject) : findName(id, subject));
      if (username !== undefined) await record(id, "auth.logged_out", username, { is_one_session: sid !== undefined });
      return { logged_out: true };
    },

    /** Logs the caller out and returns the address at which the browser logs out at the provider of its session. */
    async logout(address: string, caller: Caller): Promise<ProviderLogoutBody> {
      const { provider: id } = await sessions.findProof(caller);
      const { logged_out } = await auth.logout(address, caller);
      const provider = providers.find((each) => each.id === id);
      const url = provider && (await clients.buildEnd(provider, `${publicUrl}/`).catch(() => undefined));
      return { logged_out, end_session_url: url ?? null };
    },
  };
}

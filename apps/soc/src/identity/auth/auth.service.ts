import type { Clock } from "@kit/clock";
import { invalidField, Problem, rateLimited } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { BY_PASSWORD, type Device } from "../sessions/session.ts";
import type { Tokens } from "../sessions/tokens.ts";
import type { User } from "../users/user.ts";
import type { UsersService } from "../users/users.service.ts";
import type { RelyingParty } from "../webauthn/relying-party.ts";
import type { AssertionBody, RequestOptionsBody } from "../webauthn/webauthn.schema.ts";
import type {
  FactorOptionsRequest,
  LogoutBody,
  MethodsBody,
  SteppedUpBody,
  TokenBody,
  TokenRequest,
} from "./auth.schema.ts";
import type { Counters, CountersBySource } from "./counters.ts";
import { computeFreshUntil } from "./fresh-factor.ts";
import type { Proof, SecondFactorService } from "./second-factor.service.ts";
import type { SessionsService } from "./sessions.service.ts";
import type { SignInAudit } from "./sign-in-audit.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const PER_USER_AND_ADDRESS = { name: "sign-in by user and address", limit: 10, windowMs: QUARTER_HOUR_MS };
// Short, so that many inputs have the same digest and trying passwords cannot reverse it.
const DIGEST_LENGTH = 8;
// Only recorded: a limit per user would let anyone on the internet lock a user out.
const PER_USER = { name: "sign-in by user", limit: 30, windowMs: QUARTER_HOUR_MS };
// Right passwords that open no session: a stolen one must not be tried without limit.
const PENDING = { name: "factor pending by user and address", limit: 20, windowMs: QUARTER_HOUR_MS };
const PER_ADDRESS = { name: "sign-in by address", limit: 50, windowMs: QUARTER_HOUR_MS };

const WRONG_FACTOR = "is wrong or was used already";

export interface AuthServiceDeps {
  runtime: Pick<RuntimeService, "truth">;
  users: Pick<UsersService, "lookUp" | "findByPassword" | "endTokens">;
  tokens: Pick<Tokens, "issue" | "lifetimeSeconds">;
  sessions: Pick<SessionsService, "open" | "end" | "endOthers" | "extend" | "findProof" | "markFactor">;
  counters: CountersBySource;
  audit: SignInAudit;
  secondFactor: SecondFactorService;
  clock: Pick<Clock, "now">;
  /** The ways to sign in other than a password. */
  methods: SignInMethods;
}

export interface SignInMethods {
  providers: readonly { id: string; label: string }[];
  /** If set, only this administrator may sign in with a password; without it, every user that has no provider. */
  breakGlassUser: string | undefined;
  /** Raises an alert about a sign-in of this administrator. */
  raiseBreakGlass: (username: string, address: string) => Promise<unknown>;
}
export type AuthService = ReturnType<typeof createAuthService>;

export interface SignedIn {
  sessionId: string;
  token: TokenBody;
}

export function createAuthService(deps: AuthServiceDeps) {
  const { runtime, users, tokens, sessions, counters, audit, methods, secondFactor, clock } = deps;

  /**
   * Records once per window that a user's password is guessed from so many addresses that no limit per address applies.
   */
  async function auditGuessing(counter: Counters, username: string, name: string, address: string): Promise<void> {
    const waitMs = await counter.take(PER_USER, username.toLowerCase());
    if (waitMs === 0) return;
    const reported = { name: "guessing reported", limit: 1, windowMs: waitMs };
    if ((await counter.take(reported, username.toLowerCase())) > 0) return;
    await audit.record("auth.guessed", address, { name, address, more_than: PER_USER.limit });
  }

  /**
   * A name without a user may be a password in the wrong field. People read the audit log, so it gets a digest instead.
   */
  async function nameForAudit(username: string): Promise<string> {
    const { user } = await users.lookUp(username);
    return user?.username ?? `unknown:${sha256Hex(username).slice(0, DIGEST_LENGTH)}`;
  }

  /**
   * Returns the user with this name and password. Counts the attempt by user and address and by address, and records a
   * wrong password. A user who may not sign in with a password gets the same answer as for a wrong password, in the same
   * time, so that the answer is no oracle.
   */
  async function tryPassword(
    address: string,
    username: string,
    password: string,
    mayUse: (user: User) => boolean,
  ): Promise<User | undefined> {
    const { read_data_source: source } = await runtime.truth();
    if (source === "unavailable") throw new Problem("unavailable", "the database is unavailable");
    const counter = counters[source];
    const pair = JSON.stringify([username.toLowerCase(), address]);
    // Count before checking the password, so that concurrent attempts count as well. A locked-out pair costs the
    // address nothing: no password is checked, and other users behind the address can still sign in.
    const pairWaitMs = await counter.take(PER_USER_AND_ADDRESS, pair);
    if (pairWaitMs > 0) {
      await audit.recordLockout(counter, pair, pairWaitMs, async () => ({
        name: await nameForAudit(username),
        address,
      }));
      throw tooManyAttempts(pairWaitMs);
    }
    const addressWaitMs = await counter.take(PER_ADDRESS, address);
    if (addressWaitMs > 0) {
      await counter.giveBack(PER_USER_AND_ADDRESS, pair);
      await audit.recordLockout(counter, address, addressWaitMs, async () => ({
        subject: "address",
        name: address,
        address,
      }));
      throw tooManyAttempts(addressWaitMs);
    }
    const user = await users.findByPassword(username, password);
    if (!user || !mayUse(user)) {
      // The actor is the address, because the client has not proved that the username is its own.
      const name = await nameForAudit(username);
      await audit.record("auth.refused", address, { name, address });
      await auditGuessing(counter, username, name, address);
      return undefined;
    }
    await counter.giveBack(PER_ADDRESS, address);
    await counter.giveBack(PER_USER_AND_ADDRESS, pair);
    return user;
  }

  /** A policy may reserve passwords for the break-glass administrator. Only a provider admits its other users. */
  function mayUsePassword({ username, provider }: User): boolean {
    return methods.breakGlassUser === undefined ? provider === null : username === methods.breakGlassUser;
  }

  /** Before the session opens, because a use of the break-glass account that raises no alert must not succeed. */
  async function reportBreakGlass({ username }: User, address: string): Promise<void> {
    if (username !== methods.breakGlassUser) return;
    if ((await runtime.truth()).is_internal_workflows_allowed) await methods.raiseBreakGlass(username, address);
  }

  /** Counts and records a right password that has opened no session. */
  async function notePending(address: string, username: string): Promise<void> {
    const { read_data_source: source } = await runtime.truth();
    const pair = JSON.stringify([username, address]);
    const waitMs = await counters[source].take(PENDING, pair);
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    await audit.record("auth.factor_pending", username, { name: username, address });
  }

  /** The password alone is not enough for a user with a second factor. Returns the kind of the factor. */
  async function requireFactor(address: string, username: string, proof: Proof): Promise<string | undefined> {
    if (!(await secondFactor.has(username))) return undefined;
    const { code, webauthn } = proof;
    if (code === undefined && !webauthn) {
      await notePending(address, username);
      throw new Problem("unauthenticated", "code: a second factor is needed", { code: "factor_missing" });
    }
    const factor = await secondFactor.tryProof(address, username, proof);
    if (factor === undefined) throw new Problem("unauthenticated", `${nameField(proof)}: ${WRONG_FACTOR}`);
    return factor;
  }

  /** Opens a session for an authenticated user. */
  async function open(user: User, device: Device, factor: string | undefined): Promise<SignedIn> {
    const { username } = user;
    const { address } = device;
    const factor_at = factor === undefined ? undefined : clock.now();
    const { id: sessionId, id_hash } = await sessions.open(user, device, {
      ...BY_PASSWORD,
      factor_at: factor_at ?? null,
    });
    const token = await issue(user, id_hash, factor_at);
    await audit.record("auth.signed_in", username, {
      name: username,
      address,
      ...(factor !== undefined && { factor }),
    });
    return { sessionId, token };
  }

  async function requirePassword(address: string, username: string, password: string): Promise<User> {
    requireStorable({ username });
    const user = await tryPassword(address, username, password, mayUsePassword);
    if (!user) throw new Problem("unauthenticated", "username or password is wrong");
    await reportBreakGlass(user, address);
    return user;
  }

  async function issue(user: User, session: string | undefined, factor_at?: Date): Promise<TokenBody> {
    const access_token = await tokens.issue({ ...user, session, factor_at });
    return { access_token, token_type: "bearer", expires_in: tokens.lifetimeSeconds };
  }

  return {
    /** In dummy mode no provider is contacted. */
    async listMethods(rp: RelyingParty | undefined): Promise<MethodsBody> {
      const { mode } = await runtime.truth();
      const providers = mode === "dummy" ? [] : methods.providers;
      return {
        password: { is_break_glass_only: methods.breakGlassUser !== undefined },
        providers: providers.map(({ id, label }) => ({ id, label, start_url: `/api/v1/auth/oidc/${id}/start` })),
        passkey: { is_available: rp !== undefined },
        factors: ["totp", "recovery_code", ...(rp ? (["webauthn"] as const) : [])],
      };
    },

    async signIn(device: Device, request: TokenRequest, rp: RelyingParty | undefined): Promise<SignedIn> {
      const { username, password, code, webauthn } = request;
      const user = await requirePassword(device.address, username, password);
      return open(user, device, await requireFactor(device.address, user.username, { code, webauthn, rp }));
    },

    /** Returns the options that a browser needs to use a security key of this user as second factor. */
    async buildFactorOptions(address: string, request: FactorOptionsRequest, rp: RelyingParty | undefined) {
      const { username } = await requirePassword(address, request.username, request.password);
      await notePending(address, username);
      return secondFactor.buildRequest(rp, username);
    },

    buildPasskeyOptions: (rp: RelyingParty | undefined): Promise<RequestOptionsBody> => secondFactor.buildRequest(rp),

    /** A passkey has verified its user, so it counts as both factors. */
    async signInByPasskey(device: Device, assertion: AssertionBody, rp: RelyingParty | undefined): Promise<SignedIn> {
      const username = await secondFactor.tryPasskey(device.address, assertion, rp);
      const { user } = username === undefined ? {} : await users.lookUp(username);
      if (!user || user.disabled) throw new Problem("unauthenticated", `credential: ${WRONG_FACTOR}`);
      // Only the provider knows whether its users still have access.
      if (user.provider !== null)
        throw new Problem("forbidden", "sign in through your provider; see GET /auth/methods");
      if (methods.breakGlassUser !== undefined && user.username !== methods.breakGlassUser) {
        await audit.record("auth.refused", device.address, { name: user.username, address: device.address });
        throw new Problem("forbidden", "sign-in with a passkey is disabled; use a provider of GET /auth/methods");
      }
      await reportBreakGlass(user, device.address);
      return open(user, device, "passkey");
    },

    buildStepUpOptions: ({ username }: Caller, rp: RelyingParty | undefined): Promise<RequestOptionsBody> =>
      secondFactor.buildRequest(rp, username),

    /** Adds a fresh factor to the caller's session; a caller with a token gets a new one of the same session. */
    async stepUp(address: string, { username, session, byToken }: Caller, proof: Proof): Promise<SteppedUpBody> {
      if (proof.code === undefined && !proof.webauthn) throw invalidField("code", "is required");
      if (!(await secondFactor.has(username))) {
        throw new Problem("conflict", "you have no second factor: POST /api/v1/me/factors/totp");
      }
      const factor = await secondFactor.tryProof(address, username, proof);
      if (factor === undefined) throw invalidField(nameField(proof), WRONG_FACTOR);
      const now = clock.now();
      const { user } = await users.lookUp(username);
      // The new token is valid for as long as an unused session.
      if (session !== undefined) await (byToken ? sessions.extend(session) : sessions.markFactor(session, now));
      const token = byToken && user ? await issue(user, session, now) : null;
      await audit.record("auth.stepped_up", username, { name: username, address, factor });
      return { fresh_until: computeFreshUntil(now).toISOString(), token };
    },

    /** Checks the password of an authenticated caller. Wrong passwords count as sign-in attempts. */
    async checkPassword(address: string, { username }: Caller, password: string): Promise<void> {
      // Whoever has a session proves here that it is not stolen, whichever way it began.
      if (!(await tryPassword(address, username, password, () => true)))
        throw invalidField("current_password", "is wrong");
    },

    /**
     * Opens a new session for a caller whose change has ended all sessions; undefined if the caller uses no browser.
     */
    async reopenSession(device: Device, caller: Caller, hasFactorNow = false): Promise<string | undefined> {
      if (caller.byToken) return undefined;
      const { user } = await users.lookUp(caller.username);
      const proof = await sessions.findProof(caller);
      if (!user) return undefined;
      return (await sessions.open(user, device, hasFactorNow ? { ...proof, factor_at: clock.now() } : proof)).id;
    },

    async endSession(address: string, caller: Caller, id: string) {
      await sessions.end(caller, id);
      await audit.record("auth.session_ended", caller.username, { name: caller.username, address });
      return { deleted: true, id };
    },

    async endOtherSessions(address: string, caller: Caller) {
      const ended = await sessions.endOthers(caller);
      if (ended > 0) await audit.record("auth.sessions_ended", caller.username, { name: caller.username, address });
      return { ended };
    },

    /** Invalidates every token and every session of the caller immediately. */
    async logout(address: string, { username }: Caller): Promise<LogoutBody> {
      await users.endTokens(username);
      await audit.record("auth.logged_out", username, { name: username, address });
      return { logged_out: true };
    },
  };
}

function nameField({ webauthn }: Proof): string {
  return webauthn ? "webauthn" : "code";
}

function tooManyAttempts(waitMs: number): Problem {
  return rateLimited("too many attempts to sign in; see Retry-After", waitMs);
}

import { invalidField, Problem, rateLimited } from "@kit/problem";
import type { Journal } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { User } from "../users/user.ts";
import type { UsersService } from "../users/users.service.ts";
import type { LogoutBody, TokenBody, TokenRequest } from "./auth.schema.ts";
import type { Counters, CountersBySource } from "./counters.ts";
import type { Device } from "./session.ts";
import type { SessionsService } from "./sessions.service.ts";
import type { Tokens } from "./tokens.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const PER_USER_AND_ADDRESS = { name: "sign-in by user and address", limit: 10, windowMs: QUARTER_HOUR_MS };
// Short: many texts have the same digest, so that it cannot be turned back by trying passwords.
const DIGEST_LENGTH = 8;
// Only observed: a limit per user would let anyone on the internet lock a user out of the account.
const PER_USER = { name: "sign-in by user", limit: 30, windowMs: QUARTER_HOUR_MS };
const PER_ADDRESS = { name: "sign-in by address", limit: 50, windowMs: QUARTER_HOUR_MS };

export interface AuthServiceDeps {
  runtime: Pick<RuntimeService, "truth">;
  users: Pick<UsersService, "lookUp" | "findByPassword" | "endTokens">;
  tokens: Pick<Tokens, "issue" | "lifetimeSeconds">;
  sessions: Pick<SessionsService, "open" | "end" | "endOthers">;
  counters: CountersBySource;
  journal: Journal;
}
export type AuthService = ReturnType<typeof createAuthService>;

export interface SignedIn {
  sessionId: string;
  token: TokenBody;
}

interface AuditedAttempt {
  subject?: "user" | "address";
  name: string;
  address: string;
  /** For `auth.guessed`: the wrong passwords of the last quarter of an hour. */
  more_than?: number;
}

export function createAuthService({ runtime, users, tokens, sessions, counters, journal }: AuthServiceDeps) {
  /** Records every attempt and every logout, unless the mode forbids internal records. */
  async function audit(
    action: string,
    actor: string,
    { subject = "user", name, ...details }: AuditedAttempt,
  ): Promise<void> {
    const { is_internal_workflows_allowed } = await runtime.truth();
    if (!is_internal_workflows_allowed) return;
    const change = { actor, action, subject_type: subject, subject_id: name, details };
    await journal.record(change);
  }

  /** Records a lockout once per window, however many attempts the window refuses. */
  async function auditLockout(
    counter: Counters,
    client: string,
    waitMs: number,
    describe: () => Promise<AuditedAttempt>,
  ): Promise<void> {
    const reportedBefore = await counter.take({ name: "lock-out reported", limit: 1, windowMs: waitMs }, client);
    if (reportedBefore > 0) return;
    const attempt = await describe();
    await audit("auth.locked_out", attempt.address, attempt);
  }

  /** Records once per window that a user's password is guessed from so many addresses that no limit per address holds. */
  async function auditGuessing(counter: Counters, username: string, name: string, address: string): Promise<void> {
    const waitMs = await counter.take(PER_USER, username.toLowerCase());
    if (waitMs === 0) return;
    const reported = { name: "guessing reported", limit: 1, windowMs: waitMs };
    if ((await counter.take(reported, username.toLowerCase())) > 0) return;
    await audit("auth.guessed", address, { name, address, more_than: PER_USER.limit });
  }

  /** A name without a user may be a password in the wrong field: the audit log, which people read, gets a digest. */
  async function nameForAudit(username: string): Promise<string> {
    const { user } = await users.lookUp(username);
    return user?.username ?? `unknown:${sha256Hex(username).slice(0, DIGEST_LENGTH)}`;
  }

  /**
   * The user with that name and password. Counts the attempt by user and address and by address, and records a wrong one.
   */
  async function tryPassword(address: string, username: string, password: string): Promise<User | undefined> {
    const { read_data_source: source } = await runtime.truth();
    if (source === "unavailable") throw new Problem("unavailable", "the database is unavailable");
    const counter = counters[source];
    const pair = JSON.stringify([username.toLowerCase(), address]);
    // Count before checking the password, so that concurrent guesses count, too. A pair that is locked out costs the
    // address nothing: no password is checked, and other users behind the same address can still sign in.
    const pairWaitMs = await counter.take(PER_USER_AND_ADDRESS, pair);
    if (pairWaitMs > 0) {
      await auditLockout(counter, pair, pairWaitMs, async () => ({ name: await nameForAudit(username), address }));
      throw tooManyAttempts(pairWaitMs);
    }
    const addressWaitMs = await counter.take(PER_ADDRESS, address);
    if (addressWaitMs > 0) {
      await counter.giveBack(PER_USER_AND_ADDRESS, pair);
      await auditLockout(counter, address, addressWaitMs, async () => ({ subject: "address", name: address, address }));
      throw tooManyAttempts(addressWaitMs);
    }
    const user = await users.findByPassword(username, password);
    if (!user) {
      // The actor is the address: the client has not proved that the user name is its own.
      const name = await nameForAudit(username);
      await audit("auth.refused", address, { name, address });
      await auditGuessing(counter, username, name, address);
      return undefined;
    }
    await counter.giveBack(PER_ADDRESS, address);
    await counter.giveBack(PER_USER_AND_ADDRESS, pair);
    return user;
  }

  return {
    async signIn(device: Device, { username, password }: TokenRequest): Promise<SignedIn> {
      requireStorable({ username });
      const user = await tryPassword(device.address, username, password);
      if (!user) throw new Problem("unauthenticated", "username or password is wrong");
      const sessionId = await sessions.open(user, device);
      const access_token = await tokens.issue(user);
      await audit("auth.signed_in", user.username, { name: user.username, address: device.address });
      return { sessionId, token: { access_token, token_type: "bearer", expires_in: tokens.lifetimeSeconds } };
    },

    /** Checks the password of a caller who is signed in. Wrong ones count as attempts to sign in. */
    async checkPassword(address: string, { username }: Caller, password: string): Promise<void> {
      if (!(await tryPassword(address, username, password))) throw invalidField("current_password", "is wrong");
    },

    /** A new session for a caller whose password change has ended all sessions; undefined without a browser. */
    async reopenSession(device: Device, { username, session }: Caller): Promise<string | undefined> {
      if (session === undefined) return undefined;
      const { user } = await users.lookUp(username);
      return user && sessions.open(user, device);
    },

    async endSession(address: string, caller: Caller, id: string) {
      await sessions.end(caller, id);
      await audit("auth.session_ended", caller.username, { name: caller.username, address });
      return { deleted: true, id };
    },

    async endOtherSessions(address: string, caller: Caller) {
      const ended = await sessions.endOthers(caller);
      if (ended > 0) await audit("auth.sessions_ended", caller.username, { name: caller.username, address });
      return { ended };
    },

    /** Invalidates every token and every session of the caller immediately. */
    async logout(address: string, { username }: Caller): Promise<LogoutBody> {
      await users.endTokens(username);
      await audit("auth.logged_out", username, { name: username, address });
      return { logged_out: true };
    },
  };
}

function tooManyAttempts(waitMs: number): Problem {
  return rateLimited("too many attempts to sign in; see Retry-After", waitMs);
}

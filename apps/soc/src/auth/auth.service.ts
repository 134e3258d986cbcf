import { Problem, rateLimited } from "@kit/problem";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import type { UsersService } from "../users/users.service.ts";
import type { LogoutBody, TokenBody, TokenRequest } from "./auth.schema.ts";
import type { CountersBySource } from "./counters.ts";
import type { SessionsService } from "./sessions.service.ts";
import type { Caller, Tokens } from "./tokens.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const PER_USER_AND_ADDRESS = { name: "sign-in by user and address", limit: 10, windowMs: QUARTER_HOUR_MS };
const PER_ADDRESS = { name: "sign-in by address", limit: 50, windowMs: QUARTER_HOUR_MS };

export interface AuthServiceDeps {
  runtime: Pick<RuntimeService, "truth">;
  users: Pick<UsersService, "findByPassword" | "endTokens">;
  tokens: Pick<Tokens, "issue" | "lifetimeSeconds">;
  sessions: Pick<SessionsService, "open">;
  counters: CountersBySource;
}
export type AuthService = ReturnType<typeof createAuthService>;

export interface SignedIn {
  sessionId: string;
  token: TokenBody;
}

export function createAuthService({ runtime, users, tokens, sessions, counters }: AuthServiceDeps) {
  return {
    async signIn(address: string, { username, password }: TokenRequest): Promise<SignedIn> {
      const { read_data_source: source } = await runtime.truth();
      if (source === "unavailable") throw new Problem("unavailable", "the database is unavailable");
      const counter = counters[source];
      const pair = JSON.stringify([username, address]);
      // Counted before the password is looked at, so that guesses made at the same time count, too.
      const addressWaitMs = await counter.take(PER_ADDRESS, address);
      if (addressWaitMs > 0) throw tooManyAttempts(addressWaitMs);
      const pairWaitMs = await counter.take(PER_USER_AND_ADDRESS, pair);
      if (pairWaitMs > 0) {
        // No password was tried: one user's lockout must not become that of everybody behind the same address.
        await counter.giveBack(PER_ADDRESS, address);
        throw tooManyAttempts(pairWaitMs);
      }
      const user = await users.findByPassword(username, password);
      if (!user) throw new Problem("unauthenticated", "username or password is wrong");
      await counter.giveBack(PER_ADDRESS, address);
      await counter.giveBack(PER_USER_AND_ADDRESS, pair);
      const sessionId = await sessions.open(user);
      const access_token = await tokens.issue(user);
      return { sessionId, token: { access_token, token_type: "bearer", expires_in: tokens.lifetimeSeconds } };
    },

    /** Ends every token and every session of the caller, at the next call. */
    async logout({ username }: Caller): Promise<LogoutBody> {
      await users.endTokens(username);
      return { logged_out: true };
    },
  };
}

function tooManyAttempts(waitMs: number): Problem {
  return rateLimited("too many attempts to sign in; see Retry-After", waitMs);
}

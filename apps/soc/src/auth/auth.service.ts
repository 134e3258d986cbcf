import type { FixedWindows } from "@kit/http/limits";
import { Problem, rateLimited } from "@kit/problem";
import type { UsersService } from "../users/users.service.ts";
import type { TokenBody, TokenRequest } from "./auth.schema.ts";
import type { Tokens } from "./tokens.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const PER_USER_AND_ADDRESS = { name: "sign-in by user and address", limit: 10, windowMs: QUARTER_HOUR_MS };
const PER_ADDRESS = { name: "sign-in by address", limit: 50, windowMs: QUARTER_HOUR_MS };

export interface AuthServiceDeps {
  users: Pick<UsersService, "findByPassword">;
  tokens: Pick<Tokens, "issue" | "lifetimeSeconds">;
  windows: FixedWindows;
}
export type AuthService = ReturnType<typeof createAuthService>;

export function createAuthService({ users, tokens, windows }: AuthServiceDeps) {
  return {
    async signIn(address: string, { username, password }: TokenRequest): Promise<TokenBody> {
      const pair = JSON.stringify([username, address]);
      // Counted before the password is looked at, so that guesses made at the same time count, too.
      const waitMs = windows.take(PER_ADDRESS, address) || windows.take(PER_USER_AND_ADDRESS, pair);
      if (waitMs > 0) throw rateLimited("too many attempts to sign in; see Retry-After", waitMs);
      const user = await users.findByPassword(username, password);
      if (!user) throw new Problem("unauthenticated", "username or password is wrong");
      windows.giveBack(PER_ADDRESS, address);
      windows.giveBack(PER_USER_AND_ADDRESS, pair);
      const access_token = await tokens.issue({ username: user.username, role: user.role });
      return { access_token, token_type: "bearer", expires_in: tokens.lifetimeSeconds };
    },
  };
}

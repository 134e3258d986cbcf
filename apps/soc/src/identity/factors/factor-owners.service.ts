import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { AuthService } from "../auth/auth.service.ts";
import { computeFreshUntil, hasFreshFactor, needsFreshFactor } from "../auth/fresh-factor.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import type { UsersService } from "../users/users.service.ts";
import type { FactorsService } from "./factors.service.ts";

export interface FactorOwnersServiceDeps {
  factors: Pick<FactorsService, "has">;
  users: Pick<UsersService, "lookUp">;
  auth: Pick<AuthService, "checkPassword">;
  sessions: Pick<SessionsService, "findStart">;
  clock: Pick<Clock, "now">;
}
export type FactorOwnersService = ReturnType<typeof createFactorOwnersService>;

/** A stolen session must not change the factors of its user. */
export function createFactorOwnersService({ factors, users, auth, sessions, clock }: FactorOwnersServiceDeps) {
  async function requireFreshSignIn(caller: Caller): Promise<void> {
    const start = await sessions.findStart(caller);
    if (start && clock.now() < computeFreshUntil(start)) return;
    throw new Problem("forbidden", "the first factor needs a sign-in of the last five minutes; sign in again");
  }

  return {
    /**
     * Throws unless the caller has a fresh factor or, before the first factor, sends the password. A user of a
     * provider, whose password is unknown here, must have signed in recently.
     */
    async requireProof(address: string, caller: Caller, current_password: string | undefined): Promise<void> {
      if (await factors.has(caller.username)) {
        if (!hasFreshFactor(caller, clock.now())) throw needsFreshFactor(caller);
        return;
      }
      const { user } = await users.lookUp(caller.username);
      if (user?.provider) return requireFreshSignIn(caller);
      if (current_password === undefined) throw invalidField("current_password", "is required for the first factor");
      await auth.checkPassword(address, caller, current_password);
    },
  };
}

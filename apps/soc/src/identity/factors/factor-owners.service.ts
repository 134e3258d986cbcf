import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { AuthService } from "../auth/auth.service.ts";
import { hasFreshFactor, needsFreshFactor } from "../auth/fresh-factor.ts";
import type { UsersService } from "../users/users.service.ts";
import type { FactorsService } from "./factors.service.ts";

export interface FactorOwnersServiceDeps {
  factors: Pick<FactorsService, "has">;
  users: Pick<UsersService, "lookUp">;
  auth: Pick<AuthService, "checkPassword">;
  clock: Pick<Clock, "now">;
}
export type FactorOwnersService = ReturnType<typeof createFactorOwnersService>;

/** A stolen session must not change the factors of its user. */
export function createFactorOwnersService({ factors, users, auth, clock }: FactorOwnersServiceDeps) {
  return {
    /** Throws unless the caller has a fresh factor or, before the first one, the password. */
    async requireProof(address: string, caller: Caller, current_password: string | undefined): Promise<void> {
      if (await factors.has(caller.username)) {
        if (!hasFreshFactor(caller, clock.now())) throw needsFreshFactor();
        return;
      }
      const { user } = await users.lookUp(caller.username);
      // Only the provider knows the password of such a user.
      if (user?.provider) return;
      if (current_password === undefined) throw invalidField("current_password", "is needed for the first factor");
      await auth.checkPassword(address, caller, current_password);
    },
  };
}

import type { Base } from "../../foundation/base.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import type { Seal } from "../../foundation/records/seal.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { UsersService } from "../users/users.service.ts";
import { createFactorOwnersService } from "./factor-owners.service.ts";
import { factorsRoutes } from "./factors.routes.ts";
import { createFactorsService, type FactorsService } from "./factors.service.ts";
import { SHOWCASE_FACTORS } from "./factors.showcase.ts";
import { createFactorsStore } from "./factors.store.ts";

export interface FactorsNeeds {
  users: UsersService;
  seal: Seal;
  secondFactorRoles: readonly Role[];
}

/** What sign-in asks about factors. */
export function createFactors(base: Base, { users, seal, secondFactorRoles }: FactorsNeeds) {
  const stores = { database: createFactorsStore(base.db), showcase: SHOWCASE_FACTORS };
  return { factors: createFactorsService({ ...base, users, stores, seal, requiredRoles: secondFactorRoles }) };
}

export interface OwnFactorsNeeds {
  factors: FactorsService;
  auth: AuthService;
  users: UsersService;
}

/** What users and administrators do with factors, which needs a sign-in first. */
export function createOwnFactors({ changes, clock }: Base, { factors, auth, users }: OwnFactorsNeeds) {
  const owners = createFactorOwnersService({ factors, users, auth, clock });
  return { routes: [factorsRoutes({ factors, owners, auth, changes })] };
}

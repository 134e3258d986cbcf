import type { Base, Registrations } from "../../foundation/base.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import type { Seal } from "../../foundation/records/seal.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import type { UsersService } from "../users/users.service.ts";
import type { ChallengesService } from "../webauthn/challenges.service.ts";
import type { FindRelyingParty } from "../webauthn/relying-party.ts";
import { createFactorOwnersService } from "./factor-owners.service.ts";
import { factorsRoutes } from "./factors.routes.ts";
import { createFactorsService, type FactorsService } from "./factors.service.ts";
import { createFactorsStore, SHOWCASE_FACTORS } from "./factors.store.ts";
import { securityKeysRoutes } from "./security-keys.routes.ts";
import { createSecurityKeysService, type SecurityKeysService } from "./security-keys.service.ts";
import { createSecurityKeysStore, SHOWCASE_SECURITY_KEYS } from "./security-keys.store.ts";

export interface FactorsNeeds {
  users: UsersService;
  seal: Seal;
  secondFactorRoles: readonly Role[];
}

/** The factors as the sign-in needs them. */
export function createFactors(base: Base, { users, seal, secondFactorRoles }: FactorsNeeds) {
  const { db } = base;
  const stores = { database: createFactorsStore(db), showcase: SHOWCASE_FACTORS };
  const keyStores = { database: createSecurityKeysStore(db), showcase: SHOWCASE_SECURITY_KEYS };
  const securityKeys = createSecurityKeysService({ ...base, stores: keyStores });
  const given = { users, stores, securityKeys, seal, requiredRoles: secondFactorRoles };
  return {
    services: { factors: createFactorsService({ ...base, ...given }), securityKeys },
    registrations: {} satisfies Registrations,
  };
}

export interface OwnFactorsNeeds {
  factors: FactorsService;
  securityKeys: SecurityKeysService;
  auth: AuthService;
  sessions: SessionsService;
  challenges: ChallengesService;
  findRelyingParty: FindRelyingParty;
  users: UsersService;
}

/** How users and administrators manage factors, which requires a sign-in first. */
export function createOwnFactors({ changes, clock }: Base, { users, ...needs }: OwnFactorsNeeds) {
  const owners = createFactorOwnersService({ ...needs, users, clock });
  return {
    services: {},
    registrations: {
      routes: [factorsRoutes({ ...needs, owners, changes }), securityKeysRoutes({ ...needs, owners, changes })],
    } satisfies Registrations,
  };
}

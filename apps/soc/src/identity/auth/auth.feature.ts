import type { Clock } from "@kit/clock";
import type { FixedWindows } from "@kit/http/limits";
import type { Base, Registrations } from "../../foundation/base.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import type { ApiKeysService } from "../api-keys/api-keys.service.ts";
import { createTokens, type KeyRing } from "../sessions/tokens.ts";
import type { PlacesService } from "../sign-in-locations/sign-in-locations.service.ts";
import type { UsersService } from "../users/users.service.ts";
import type { ChallengesService } from "../webauthn/challenges.service.ts";
import type { FindRelyingParty } from "../webauthn/relying-party.ts";
import { authRoutes } from "./auth.routes.ts";
import { createAuthService, type SignInMethods } from "./auth.service.ts";
import { createCallersService } from "./callers.service.ts";
import { countersBySource } from "./counters.ts";
import { hasFreshFactor, needsFreshFactor } from "./fresh-factor.ts";
import { createRequestCountsStore } from "./request-counts.store.ts";
import { createSecondFactorService, type SecondFactors, type SecurityKeys } from "./second-factor.service.ts";
import { createSessionsService } from "./sessions.service.ts";
import { createShowcaseSessionsStore } from "./sessions.showcase.ts";
import { createSessionsStore } from "./sessions.store.ts";
import { createSignInAudit } from "./sign-in-audit.ts";
import { createSigningKeysService } from "./signing-keys.service.ts";
import { createShowcaseSigningKeysStore, createSigningKeysStore } from "./signing-keys.store.ts";

export interface AuthNeeds {
  users: UsersService;
  apiKeys: ApiKeysService;
  places: PlacesService;
  /** Counts requests in memory while the database is unavailable. */
  windows: FixedWindows;
  methods: SignInMethods;
  factors: SecondFactors;
  securityKeys: SecurityKeys;
  createChallenges: (keys: KeyRing) => ChallengesService;
  findRelyingParty: FindRelyingParty;
  /** The roles that require a second factor. */
  secondFactorRoles: readonly Role[];
  /** Whether routes with `stepUp` require a fresh factor. */
  isStepUpOn?: boolean;
}

export function createAuth(base: Base, needs: AuthNeeds) {
  const { db, runtime, clock, ids } = base;
  const { users, apiKeys, places, windows, methods, factors, securityKeys, findRelyingParty, secondFactorRoles } =
    needs;
  const signingKeys = createSigningKeysService({
    runtime,
    stores: { database: createSigningKeysStore(db), showcase: createShowcaseSigningKeysStore() },
    clock,
    ids,
  });
  const sessions = createSessionsService({
    runtime,
    stores: { database: createSessionsStore(db), showcase: createShowcaseSessionsStore() },
    places,
    clock,
    ids,
  });
  const tokens = createTokens({ clock, ids, keys: signingKeys });
  const counters = countersBySource(createRequestCountsStore(db, clock), windows);
  const audit = createSignInAudit({ runtime, journal: { record: (change) => base.audit.record(db, change) } });
  const challenges = needs.createChallenges(signingKeys);
  const auth = createAuthService({
    runtime,
    users,
    tokens,
    sessions,
    counters,
    methods,
    audit,
    secondFactor: createSecondFactorService({ runtime, factors, securityKeys, challenges, counters, audit }),
    clock,
  });
  return {
    services: {
      callers: createCallersService({ tokens, sessions, apiKeys, users, secondFactorRoles }),
      counters,
      requireFresh: needs.isStepUpOn ? createFreshCheck(clock) : undefined,
      auth,
      sessions,
      keys: signingKeys,
      challenges,
      signInAudit: audit,
    },
    registrations: { routes: [authRoutes({ auth, keys: signingKeys, findRelyingParty })] } satisfies Registrations,
  };
}

function createFreshCheck(clock: Pick<Clock, "now">) {
  return (caller: Caller): void => {
    if (!hasFreshFactor(caller, clock.now())) throw needsFreshFactor(caller);
  };
}

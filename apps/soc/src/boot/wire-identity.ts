import type { AlertsService } from "../alerts/module.ts";
import type { Registrations } from "../foundation/base.ts";
import type { Caller, FindSites } from "../foundation/caller/caller.ts";
import type { OutboundService } from "../foundation/outbound/outbound.service.ts";
import {
  createAccountLinks,
  createApiKeys,
  createAuth,
  createFactors,
  createMe,
  createOidc,
  createOwnFactors,
  createPlaces,
  createScim,
  createUserSessions,
  createUsers,
  createWebAuthn,
  MANAGED_NAMES,
} from "../identity/module.ts";
import type { PlatformNeeds } from "./platform-needs.ts";

interface IdentityDeps {
  alerts: Pick<AlertsService, "create">;
  outbound: Pick<OutboundService, "stream">;
  findSites: FindSites;
}

/** The platform itself, as the reporter of sign-in alerts. */
const SIGN_IN: Caller = { kind: "api_key", username: "sign-in", role: "agent" };

/** Creates users, their keys and the ways to sign in. */
export function wireIdentity(needs: PlatformNeeds, { alerts, outbound, findSites }: IdentityDeps) {
  const { base, files, windows, publicUrl, firstAdmin } = needs;
  const { signIn, seal } = files;
  const { breakGlassUser, secondFactorRoles, isStepUpOn, minPasswordLength, providers } = signIn;
  const accounts = createUsers(base, {
    findSites,
    firstAdmin,
    breakGlassUser,
    minPasswordLength,
    managedNames: MANAGED_NAMES,
  });
  const { users, provided, provisioned } = accounts.services;
  const serviceKeys = createApiKeys(base, { users, findSites, windows });
  const { apiKeys } = serviceKeys.services;
  const raiseBreakGlass = (username: string, address: string) =>
    base.db.transaction().execute((tx) =>
      alerts.create(tx, SIGN_IN, {
        title: `Break-glass administrator ${username} signed in`,
        source: "sign-in",
        severity: "high",
        description: `The password of the administrator of last resort was used from ${address}. Find out who and why.`,
        user: username,
      }),
    );
  const { factors, securityKeys } = createFactors(base, { users, seal, secondFactorRoles }).services;
  const webAuthn = createWebAuthn(base, publicUrl);
  const { findRelyingParty, createChallenges } = webAuthn.services;
  const auth = createAuth(base, {
    users,
    apiKeys,
    places: createPlaces(base).services.places,
    windows,
    methods: { providers, breakGlassUser, raiseBreakGlass },
    factors,
    securityKeys,
    createChallenges,
    findRelyingParty,
    secondFactorRoles,
    isStepUpOn,
  });
  const { sessions, keys, challenges, signInAudit } = auth.services;
  const authService = auth.services.auth;
  const registrations: readonly Registrations[] = [
    auth.registrations,
    accounts.registrations,
    createMe(base, { auth: authService, sessions, users }).registrations,
    createUserSessions({ users, sessions, signInAudit }).registrations,
    createOwnFactors(base, {
      users,
      factors,
      securityKeys,
      auth: authService,
      sessions,
      challenges,
      findRelyingParty,
    }).registrations,
    webAuthn.registrations,
    serviceKeys.registrations,
    createAccountLinks(base, { users }).registrations,
    createOidc(base, { signIn, publicUrl, outbound, auth: authService, sessions, keys, users, provided }).registrations,
    createScim(base, { signIn, publicUrl, provisioned, findSites }).registrations,
  ];
  const findKeyPeople = apiKeys.findPeople;
  const ensureShowcaseAdmin = () => accounts.services.ensureShowcaseAdmin();
  return { services: { users, auth: auth.services, findKeyPeople, ensureShowcaseAdmin }, registrations };
}

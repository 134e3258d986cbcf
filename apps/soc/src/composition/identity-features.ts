import type { AlertsService } from "../casework/alerts/alerts.service.ts";
import type { Caller } from "../foundation/caller/caller.ts";
import type { FindSites } from "../foundation/caller/scope.ts";
import type { OutboundService } from "../foundation/outbound/outbound.service.ts";
import { createApiKeys } from "../identity/api-keys/api-keys.feature.ts";
import { createAuth } from "../identity/auth/auth.feature.ts";
import { createFactors, createOwnFactors } from "../identity/factors/factors.feature.ts";
import { createMe } from "../identity/me/me.feature.ts";
import { createOidc } from "../identity/oidc/oidc.feature.ts";
import { createPlaces } from "../identity/places/places.feature.ts";
import { createScim, MANAGED_NAMES } from "../identity/scim/scim.feature.ts";
import { createUserSessions } from "../identity/user-sessions/user-sessions.feature.ts";
import { createUsers } from "../identity/users/users.feature.ts";
import { createWebAuthn } from "../identity/webauthn/webauthn.feature.ts";
import type { PlatformNeeds } from "./platform-needs.ts";

interface Given {
  alerts: Pick<AlertsService, "create">;
  outbound: Pick<OutboundService, "stream">;
  findSites: FindSites;
}

/** The platform itself, as the reporter of alerts about sign-ins. */
const SIGN_IN: Caller = { kind: "api_key", username: "sign-in", role: "agent" };

/** Creates the features for users, their keys and the ways to sign in. */
export function createIdentityFeatures(needs: PlatformNeeds, { alerts, outbound, findSites }: Given) {
  const { base, files, windows, publicUrl } = needs;
  const { signIn } = files;
  const users = createUsers(base, { ...needs, ...signIn, findSites, managedNames: MANAGED_NAMES });
  const apiKeys = createApiKeys(base, { ...users, findSites, windows });
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
  const factors = createFactors(base, { ...users, ...files, ...signIn });
  const methods = { ...signIn, raiseBreakGlass };
  const webAuthn = createWebAuthn(base, publicUrl);
  const given = { ...users, ...apiKeys, ...factors, ...webAuthn, ...createPlaces(base) };
  const auth = createAuth(base, { ...given, ...signIn, windows, methods });
  const own = createOwnFactors(base, { ...users, ...factors, ...webAuthn, ...auth });
  const oidc = createOidc(base, { ...auth, ...users, signIn, publicUrl, outbound });
  const scim = createScim(base, { ...users, signIn, publicUrl, findSites });
  const me = createMe(base, { ...auth, ...users });
  const userSessions = createUserSessions({ ...auth, ...users });
  const { findOwners: findKeyOwners } = apiKeys.apiKeys;
  return {
    users,
    auth,
    findKeyOwners,
    features: [auth, users, me, userSessions, own, webAuthn, apiKeys, oidc, scim] as const,
  };
}

import type { Base, Registrations } from "../../foundation/base.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import type { KeyRing } from "../sessions/tokens.ts";
import type { ProvidedUsersService } from "../users/provided-users.service.ts";
import type { UsersService } from "../users/users.service.ts";
import { createAttempts } from "./attempts.ts";
import { oidcRoutes } from "./oidc.routes.ts";
import { createOidcService } from "./oidc.service.ts";
import { createOidcStore } from "./oidc.store.ts";
import type { SignInSettings } from "./provider.ts";
import { createProviderClients } from "./provider-clients.ts";

export interface OidcNeeds {
  signIn: Pick<SignInSettings, "providers">;
  publicUrl: string | undefined;
  outbound: Pick<OutboundService, "stream">;
  auth: AuthService;
  sessions: SessionsService;
  keys: KeyRing;
  users: UsersService;
  provided: ProvidedUsersService;
}

const MAX_SWEPT = 1000;

export function createOidc(base: Base, { signIn, publicUrl = "", outbound, keys, ...needs }: OidcNeeds) {
  const { db, audit, clock } = base;
  const store = createOidcStore(db);
  const oidc = createOidcService({
    ...base,
    ...needs,
    providers: signIn.providers,
    publicUrl: publicUrl.replace(/\/$/, ""),
    clients: createProviderClients({ ...base, outbound }),
    attempts: createAttempts({ clock, keys }),
    store,
    journal: { record: (change) => audit.record(db, change) },
  });
  return {
    services: {},
    registrations: {
      routes: [oidcRoutes(oidc)],
      sweeps: [{ name: "answers of providers", run: () => store.deleteEnded(clock.now(), MAX_SWEPT) }],
    } satisfies Registrations,
  };
}

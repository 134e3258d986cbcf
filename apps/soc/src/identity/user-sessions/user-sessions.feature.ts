import type { Registrations } from "../../foundation/base.ts";
import { userSessionsRoutes } from "./user-sessions.routes.ts";
import { createUserSessionsService, type UserSessionsServiceDeps } from "./user-sessions.service.ts";

export interface UserSessionsNeeds extends Omit<UserSessionsServiceDeps, "audit"> {
  signInAudit: UserSessionsServiceDeps["audit"];
}

/** The sessions of users, for administrators. */
export function createUserSessions({ users, sessions, signInAudit }: UserSessionsNeeds) {
  return {
    services: {},
    registrations: {
      routes: [userSessionsRoutes(createUserSessionsService({ users, sessions, audit: signInAudit }))],
    } satisfies Registrations,
  };
}

import type { Base } from "../../foundation/base.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import type { UsersService } from "../users/users.service.ts";
import { meRoutes } from "./me.routes.ts";

export interface MeNeeds {
  auth: AuthService;
  sessions: SessionsService;
  users: UsersService;
}

export function createMe({ changes }: Base, needs: MeNeeds) {
  return { routes: [meRoutes({ ...needs, changes })] };
}

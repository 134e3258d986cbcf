import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { clientNetworkOf } from "@kit/guard/address";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { SessionsBody } from "../auth/auth.schema.ts";
import type { AuthService } from "../auth/auth.service.ts";
import { sessionIdIn } from "../auth/session.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import { UserBody } from "../users/users.schema.ts";
import type { UsersService } from "../users/users.service.ts";
import { ChangePasswordRequest, PasswordChangedBody, SessionPath } from "./me.schema.ts";

export interface MeRoutesDeps {
  auth: Pick<AuthService, "checkPassword" | "endSession">;
  sessions: Pick<SessionsService, "list">;
  users: Pick<UsersService, "me" | "changePassword">;
  changes: ChangesService;
}

/** What users do with their own account. */
export function meRoutes({ auth, sessions, users, changes }: MeRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/users/me",
      { config: { needs: "authenticated", worksOffline: true }, schema: { response: { 200: UserBody } } },
      async (request) => users.me(callerOf(request)),
    );

    app.post(
      "/me/password",
      {
        config: { needs: "authenticated", effect: "change" },
        schema: {
          body: ChangePasswordRequest,
          response: { 200: Type.Union([PasswordChangedBody, PreviewOf(PasswordChangedBody)]) },
        },
      },
      async (request, reply) => {
        const { current_password, new_password } = request.body;
        await auth.checkPassword(clientNetworkOf(request.ip), callerOf(request), current_password);
        const changed = await changes.run(request, (tx, caller) => users.changePassword(tx, caller, new_password));
        return answer(reply, 200, changed);
      },
    );

    app.get(
      "/me/sessions",
      { config: { needs: "authenticated" }, schema: { response: { 200: SessionsBody } } },
      async (request) => ({ items: await sessions.list(callerOf(request), sessionIdIn(request.headers.cookie)) }),
    );

    app.delete(
      "/me/sessions/:id",
      {
        config: { needs: "authenticated", effect: "none" },
        schema: { params: SessionPath, response: { 200: Deleted } },
      },
      async (request) => auth.endSession(clientNetworkOf(request.ip), callerOf(request), request.params.id),
    );
  };
}

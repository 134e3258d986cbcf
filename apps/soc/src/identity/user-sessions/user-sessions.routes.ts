import { clientNetworkOf } from "@kit/guard/address";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted } from "../../foundation/lists/lists.schema.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { SessionPath, SessionsBody, SessionsEndedBody } from "../auth/auth.schema.ts";
import { UserPath } from "../users/users.schema.ts";
import type { UserSessionsService } from "./user-sessions.service.ts";

const ending = { needs: "role:admin", effect: "none", stepUp: true } as const;
const UserSessionPath = Type.Object({ ...UserPath.properties, ...SessionPath.properties });

export function userSessionsRoutes(sessions: UserSessionsService): Routes {
  return async (app) => {
    app.get(
      "/users/:username/sessions",
      operation(
        "listUserSessions",
        "List the sessions of a user",
        { needs: "role:admin" },
        { params: UserPath, response: { 200: SessionsBody } },
      ),
      async (request) => ({ items: await sessions.list(callerOf(request), request.params.username) }),
    );

    app.delete(
      "/users/:username/sessions",
      operation("endUserSessions", "End all sessions of a user", ending, {
        description: "Also ends all tokens of the user.",
        params: UserPath,
        response: { 200: SessionsEndedBody },
      }),
      async (request) => sessions.endAll(clientNetworkOf(request.ip), callerOf(request), request.params.username),
    );

    app.delete(
      "/users/:username/sessions/:id",
      operation("endUserSession", "End a session of a user", ending, {
        description: "Tokens are not ended; they expire.",
        params: UserSessionPath,
        response: { 200: Deleted },
      }),
      async (request) => {
        const { username, id } = request.params;
        return sessions.end(clientNetworkOf(request.ip), callerOf(request), username, id);
      },
    );
  };
}

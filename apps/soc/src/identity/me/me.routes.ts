import { clientNetworkOf } from "@kit/guard/address";
import { callerOf, listPermissions } from "../../foundation/caller/caller.ts";
import { Deleted, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { NameDeviceRequest, SessionPath, SessionsBody, SessionsEndedBody } from "../auth/auth.schema.ts";
import type { AuthService } from "../auth/auth.service.ts";
import { readDevice } from "../auth/device.ts";
import type { SessionsService } from "../auth/sessions.service.ts";
import { formatCookie } from "../sessions/session.ts";
import type { UsersService } from "../users/users.service.ts";
import { ChangePasswordRequest, MAX_PREFERENCES_BYTES, MeBody, PasswordChangedBody, Preferences } from "./me.schema.ts";
import type { PreferencesService } from "./preferences.service.ts";

export interface MeRoutesDeps {
  auth: Pick<AuthService, "checkPassword" | "reopenSession" | "endSession" | "endOtherSessions">;
  sessions: Pick<SessionsService, "list" | "nameDevice">;
  users: Pick<UsersService, "me" | "changePassword">;
  preferences: PreferencesService;
  changes: ChangesService;
}

/** The routes with which users manage their own account. */
export function meRoutes({ auth, sessions, users, preferences, changes }: MeRoutesDeps): Routes {
  return async (app) => {
    app.get(
      "/users/me",
      operation(
        "getCurrentUser",
        "Get the caller's profile",
        { needs: "authenticated", bySite: "own", worksOffline: true, isOpenBeforeFactor: true },
        { description: "`preferences` is null without a database.", response: { 200: MeBody } },
      ),
      async (request) => {
        const caller = callerOf(request);
        return {
          ...(await users.me(caller)),
          permissions: listPermissions(caller),
          preferences: await preferences.getOrNull(caller),
          limits: await request.readLimits(),
        };
      },
    );

    app.get(
      "/me/preferences",
      operation(
        "getPreferences",
        "Get the caller's preferences",
        { needs: "authenticated", bySite: "own" },
        { response: { 200: Preferences } },
      ),
      async (request) => preferences.get(callerOf(request)),
    );

    app.put(
      "/me/preferences",
      {
        ...operation(
          "replacePreferences",
          "Replace the caller's preferences",
          { needs: "authenticated", bySite: "own", effect: "change" },
          {
            description: "Takes at most 64 KiB and 8 levels. Writes no audit entry and no event.",
            body: Preferences,
            response: { 200: Preferences },
          },
        ),
        bodyLimit: MAX_PREFERENCES_BYTES,
      },
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => preferences.replace(tx, caller, request.body)),
    );

    app.post(
      "/me/password",
      operation(
        "changePassword",
        "Change the caller's password",
        { needs: "authenticated", bySite: "own", effect: "change" },
        {
          description:
            "Ends every session and token of the caller; a browser gets a new session. Wrong passwords count and are recorded like attempts to sign in.",
          body: ChangePasswordRequest,
          response: { 200: WithPreviewOf(PasswordChangedBody) },
        },
      ),
      async (request, reply) => {
        const { current_password, new_password } = request.body;
        const device = readDevice(request);
        await auth.checkPassword(device.address, callerOf(request), current_password);
        const changed = await changes.run(request, (tx, caller) => users.changePassword(tx, caller, new_password));
        const sessionId = changed.dry_run ? undefined : await auth.reopenSession(device, callerOf(request));
        if (sessionId !== undefined) reply.header("set-cookie", formatCookie(sessionId));
        return answer(reply, 200, changed);
      },
    );

    app.get(
      "/me/sessions",
      operation(
        "listSessions",
        "List the caller's sessions",
        { needs: "authenticated", bySite: "own" },
        {
          description:
            "Newest first. `device` is what the user agent claims; `address` is that of the sign-in. A user has at most 100 sessions.",
          response: { 200: SessionsBody },
        },
      ),
      async (request) => ({ items: await sessions.list(callerOf(request)) }),
    );

    app.patch(
      "/me/sessions/:id",
      operation(
        "nameSession",
        "Name the device of a session",
        { needs: "authenticated", bySite: "own", effect: "none" },
        { params: SessionPath, body: NameDeviceRequest, response: { 200: SessionsBody } },
      ),
      async (request) => {
        const caller = callerOf(request);
        await sessions.nameDevice(caller, request.params.id, request.body.device_name);
        return { items: await sessions.list(caller) };
      },
    );

    app.delete(
      "/me/sessions",
      operation(
        "endOtherSessions",
        "End the caller's other sessions",
        { needs: "authenticated", bySite: "own", effect: "none" },
        {
          description: "Ends all sessions of the caller, with their tokens, except that of this request.",
          response: { 200: SessionsEndedBody },
        },
      ),
      async (request) => auth.endOtherSessions(clientNetworkOf(request.ip), callerOf(request)),
    );

    app.delete(
      "/me/sessions/:id",
      operation(
        "endSession",
        "End a session of the caller",
        { needs: "authenticated", bySite: "own", effect: "none" },
        { params: SessionPath, response: { 200: Deleted } },
      ),
      async (request) => auth.endSession(clientNetworkOf(request.ip), callerOf(request), request.params.id),
    );
  };
}

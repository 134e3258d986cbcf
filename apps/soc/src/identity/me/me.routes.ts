import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { clientNetworkOf } from "@kit/guard/address";
import Type from "typebox";
import { callerOf, listPermissions } from "../../foundation/caller/caller.ts";
import { Deleted, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
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

/** What users do with their own account. */
export function meRoutes({ auth, sessions, users, preferences, changes }: MeRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/users/me",
      {
        config: { needs: "authenticated", bySite: "own", worksOffline: true, isOpenBeforeFactor: true },
        schema: { operationId: "getCurrentUser", summary: "Get the caller's profile", response: { 200: MeBody } },
      },
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
      {
        config: { needs: "authenticated", bySite: "own" },
        schema: {
          operationId: "getPreferences",
          summary: "Get the caller's preferences",
          response: { 200: Preferences },
        },
      },
      async (request) => preferences.get(callerOf(request)),
    );

    app.put(
      "/me/preferences",
      {
        config: { needs: "authenticated", bySite: "own", effect: "change" },
        bodyLimit: MAX_PREFERENCES_BYTES,
        schema: {
          operationId: "replacePreferences",
          summary: "Replace the caller's preferences",
          body: Preferences,
          response: { 200: Preferences },
        },
      },
      async (request, reply) => {
        const replaced = await changes.run(request, (tx, caller) => preferences.replace(tx, caller, request.body));
        return answer(reply, 200, replaced);
      },
    );

    app.post(
      "/me/password",
      {
        config: { needs: "authenticated", bySite: "own", effect: "change" },
        schema: {
          operationId: "changePassword",
          summary: "Change the caller's password",
          body: ChangePasswordRequest,
          response: { 200: Type.Union([PasswordChangedBody, PreviewOf(PasswordChangedBody)]) },
        },
      },
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
      {
        config: { needs: "authenticated", bySite: "own" },
        schema: { operationId: "listSessions", summary: "List the caller's sessions", response: { 200: SessionsBody } },
      },
      async (request) => ({ items: await sessions.list(callerOf(request)) }),
    );

    app.patch(
      "/me/sessions/:id",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none" },
        schema: {
          operationId: "nameSession",
          summary: "Name the device of a session",
          params: SessionPath,
          body: NameDeviceRequest,
          response: { 200: SessionsBody },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        await sessions.nameDevice(caller, request.params.id, request.body.device_name);
        return { items: await sessions.list(caller) };
      },
    );

    app.delete(
      "/me/sessions",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none" },
        schema: {
          operationId: "endOtherSessions",
          summary: "End the caller's other sessions",
          response: { 200: SessionsEndedBody },
        },
      },
      async (request) => auth.endOtherSessions(clientNetworkOf(request.ip), callerOf(request)),
    );

    app.delete(
      "/me/sessions/:id",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none" },
        schema: {
          operationId: "endSession",
          summary: "End a session of the caller",
          params: SessionPath,
          response: { 200: Deleted },
        },
      },
      async (request) => auth.endSession(clientNetworkOf(request.ip), callerOf(request), request.params.id),
    );
  };
}

import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { clientNetworkOf } from "@kit/guard/address";
import { Problem } from "@kit/problem";
import { callerOf } from "../../foundation/caller/caller.ts";
import {
  JwksBody,
  LogoutBody,
  MethodsBody,
  SteppedUpBody,
  StepUpRequest,
  TokenBody,
  TokenRequest,
} from "./auth.schema.ts";
import type { AuthService } from "./auth.service.ts";
import { isChangeFromAnotherSite } from "./cross-site.ts";
import { readDevice } from "./device.ts";
import { formatCookie, NO_COOKIE } from "./session.ts";
import type { SigningKeysService } from "./signing-keys.service.ts";

const FORM = "application/x-www-form-urlencoded";

export function authRoutes(auth: AuthService, keys: Pick<SigningKeysService, "publicKeys">): FastifyPluginAsyncTypebox {
  return async (app) => {
    // OAuth clients post a form, all other clients post JSON.
    app.addContentTypeParser<string>(FORM, { parseAs: "string" }, (_request, form, done) =>
      done(null, Object.fromEntries(new URLSearchParams(form))),
    );

    app.get(
      "/auth/methods",
      { config: { needs: "public", worksOffline: true }, schema: { response: { 200: MethodsBody } } },
      async () => auth.listMethods(),
    );

    app.post(
      "/auth/token",
      { config: { needs: "public", effect: "none" }, schema: { body: TokenRequest, response: { 200: TokenBody } } },
      async (request, reply) => {
        // Login CSRF: a form on another site could sign the victim in as another user.
        if (isChangeFromAnotherSite(request)) throw new Problem("forbidden", "Origin: sign in from this site only");
        const { sessionId, token } = await auth.signIn(readDevice(request), request.body);
        reply.header("set-cookie", formatCookie(sessionId));
        return token;
      },
    );

    app.post(
      "/auth/step-up",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        schema: { body: StepUpRequest, response: { 200: SteppedUpBody } },
      },
      async (request) => auth.stepUp(clientNetworkOf(request.ip), callerOf(request), request.body.code),
    );

    app.post(
      "/auth/logout",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        schema: { response: { 200: LogoutBody } },
      },
      async (request, reply) => {
        reply.header("set-cookie", NO_COOKIE);
        return auth.logout(clientNetworkOf(request.ip), callerOf(request));
      },
    );

    app.get(
      "/auth/jwks",
      { config: { needs: "authenticated", bySite: "own" }, schema: { response: { 200: JwksBody } } },
      async () => keys.publicKeys(),
    );
  };
}

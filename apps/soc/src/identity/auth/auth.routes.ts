import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { clientNetworkOf } from "@kit/guard/address";
import { Problem } from "@kit/problem";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "../../foundation/caller/caller.ts";
import { formatCookie, NO_COOKIE } from "../sessions/session.ts";
import type { FindRelyingParty } from "../webauthn/relying-party.ts";
import { RequestOptionsBody } from "../webauthn/webauthn.schema.ts";
import {
  FactorOptionsRequest,
  JwksBody,
  LogoutBody,
  MethodsBody,
  PasskeyRequest,
  SteppedUpBody,
  StepUpRequest,
  TokenBody,
  TokenRequest,
} from "./auth.schema.ts";
import type { AuthService, SignedIn } from "./auth.service.ts";
import { isChangeFromAnotherSite } from "./cross-site.ts";
import { readDevice } from "./device.ts";
import type { SigningKeysService } from "./signing-keys.service.ts";

const FORM = "application/x-www-form-urlencoded";

export interface AuthRoutesDeps {
  auth: AuthService;
  keys: Pick<SigningKeysService, "publicKeys">;
  findRelyingParty: FindRelyingParty;
}

export function authRoutes({ auth, keys, findRelyingParty }: AuthRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    // OAuth clients post a form, all other clients post JSON.
    app.addContentTypeParser<string>(FORM, { parseAs: "string" }, (_request, form, done) =>
      done(null, Object.fromEntries(new URLSearchParams(form))),
    );

    app.get(
      "/auth/methods",
      {
        config: { needs: "public", worksOffline: true },
        schema: { operationId: "listSignInMethods", summary: "List sign-in methods", response: { 200: MethodsBody } },
      },
      async (request) => auth.listMethods(findRelyingParty(request)),
    );

    app.post(
      "/auth/token",
      {
        config: { needs: "public", effect: "none" },
        schema: {
          operationId: "createToken",
          summary: "Sign in with a password",
          body: TokenRequest,
          response: { 200: TokenBody },
        },
      },
      async (request, reply) => {
        requireThisSite(request);
        return giveSession(reply, await auth.signIn(readDevice(request), request.body, findRelyingParty(request)));
      },
    );

    app.post(
      "/auth/webauthn/options",
      {
        config: { needs: "public", effect: "none" },
        schema: {
          operationId: "createSignInOptions",
          summary: "Create a challenge for a security key sign-in",
          body: FactorOptionsRequest,
          response: { 200: RequestOptionsBody },
        },
      },
      async (request) => auth.buildFactorOptions(clientNetworkOf(request.ip), request.body, findRelyingParty(request)),
    );

    app.post(
      "/auth/passkey/options",
      {
        config: { needs: "public", effect: "none" },
        schema: {
          operationId: "createPasskeyOptions",
          summary: "Create a challenge for a passkey sign-in",
          response: { 200: RequestOptionsBody },
        },
      },
      async (request) => auth.buildPasskeyOptions(findRelyingParty(request)),
    );

    app.post(
      "/auth/passkey",
      {
        config: { needs: "public", effect: "none" },
        schema: {
          operationId: "signInWithPasskey",
          summary: "Sign in with a passkey",
          body: PasskeyRequest,
          response: { 200: TokenBody },
        },
      },
      async (request, reply) => {
        requireThisSite(request);
        const { credential } = request.body;
        const rp = findRelyingParty(request);
        return giveSession(reply, await auth.signInByPasskey(readDevice(request), credential, rp));
      },
    );

    app.post(
      "/auth/step-up",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        schema: {
          operationId: "stepUp",
          summary: "Confirm the session with a second factor",
          body: StepUpRequest,
          response: { 200: SteppedUpBody },
        },
      },
      async (request) => {
        const proof = { ...request.body, rp: findRelyingParty(request) };
        return auth.stepUp(clientNetworkOf(request.ip), callerOf(request), proof);
      },
    );

    app.post(
      "/auth/step-up/options",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        schema: {
          operationId: "createStepUpOptions",
          summary: "Create a challenge to confirm the session",
          response: { 200: RequestOptionsBody },
        },
      },
      async (request) => auth.buildStepUpOptions(callerOf(request), findRelyingParty(request)),
    );

    app.post(
      "/auth/logout",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        schema: { operationId: "signOut", summary: "Sign out", response: { 200: LogoutBody } },
      },
      async (request, reply) => {
        reply.header("set-cookie", NO_COOKIE);
        return auth.logout(clientNetworkOf(request.ip), callerOf(request));
      },
    );

    app.get(
      "/auth/jwks",
      {
        config: { needs: "authenticated", bySite: "own" },
        schema: {
          operationId: "listSigningKeys",
          summary: "List the public keys that verify tokens",
          response: { 200: JwksBody },
        },
      },
      async () => keys.publicKeys(),
    );
  };
}

/** Login CSRF: a form on another site could sign the victim in as another user. */
function requireThisSite(request: FastifyRequest): void {
  if (isChangeFromAnotherSite(request)) throw new Problem("forbidden", "Origin: sign in from this site only");
}

function giveSession(reply: FastifyReply, { sessionId, token }: SignedIn): SignedIn["token"] {
  reply.header("set-cookie", formatCookie(sessionId));
  return token;
}

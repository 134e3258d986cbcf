import { clientNetworkOf } from "@kit/guard/address";
import { Problem } from "@kit/problem";
import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
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

export function authRoutes({ auth, keys, findRelyingParty }: AuthRoutesDeps): Routes {
  return async (app) => {
    // OAuth clients post a form, all other clients post JSON.
    app.addContentTypeParser<string>(FORM, { parseAs: "string" }, (_request, form, done) =>
      done(null, Object.fromEntries(new URLSearchParams(form))),
    );

    app.get(
      "/auth/methods",
      operation(
        "listSignInMethods",
        "List sign-in methods",
        { needs: "public", worksOffline: true },
        { response: { 200: MethodsBody } },
      ),
      async (request) => auth.listMethods(findRelyingParty(request)),
    );

    app.post(
      "/auth/token",
      operation(
        "createToken",
        "Sign in with a password",
        { needs: "public", effect: "none" },
        {
          description:
            "Takes JSON or a form. A user with a second factor also sends `code` or, in JSON, `webauthn`; without one the answer is 401 with a `detail` that begins with `code:`. The answer also sets the session cookie.",
          body: TokenRequest,
          response: { 200: TokenBody },
        },
      ),
      async (request, reply) => {
        requireThisSite(request);
        return giveSession(reply, await auth.signIn(readDevice(request), request.body, findRelyingParty(request)));
      },
    );

    app.post(
      "/auth/webauthn/options",
      operation(
        "createSignInOptions",
        "Create a challenge for a security key sign-in",
        { needs: "public", effect: "none" },
        {
          description:
            "For `navigator.credentials.get`. The challenge is valid for five minutes and once. 401 for a wrong password, 409 without a key.",
          body: FactorOptionsRequest,
          response: { 200: RequestOptionsBody },
        },
      ),
      async (request) => auth.buildFactorOptions(clientNetworkOf(request.ip), request.body, findRelyingParty(request)),
    );

    app.post(
      "/auth/passkey/options",
      operation(
        "createPasskeyOptions",
        "Create a challenge for a passkey sign-in",
        { needs: "public", effect: "none" },
        {
          description:
            "For `navigator.credentials.get`. The challenge is valid for five minutes and once. 409 when browsers do not offer passkeys for this address.",
          response: { 200: RequestOptionsBody },
        },
      ),
      async (request) => auth.buildPasskeyOptions(findRelyingParty(request)),
    );

    app.post(
      "/auth/passkey",
      operation(
        "signInWithPasskey",
        "Sign in with a passkey",
        { needs: "public", effect: "none" },
        {
          description:
            "Answers as `POST /auth/token`. 401 for a wrong signature, 403 for a user of an identity provider.",
          body: PasskeyRequest,
          response: { 200: TokenBody },
        },
      ),
      async (request, reply) => {
        requireThisSite(request);
        const { credential } = request.body;
        const rp = findRelyingParty(request);
        return giveSession(reply, await auth.signInByPasskey(readDevice(request), credential, rp));
      },
    );

    app.post(
      "/auth/step-up",
      operation(
        "stepUp",
        "Confirm the session with a second factor",
        { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        {
          description:
            "The session has a fresh factor until `fresh_until`, for five minutes. A caller without a session gets a new `token`. 400 for a wrong factor, 409 without one.",
          body: StepUpRequest,
          response: { 200: SteppedUpBody },
        },
      ),
      async (request) => {
        const proof = { ...request.body, rp: findRelyingParty(request) };
        return auth.stepUp(clientNetworkOf(request.ip), callerOf(request), proof);
      },
    );

    app.post(
      "/auth/step-up/options",
      operation(
        "createStepUpOptions",
        "Create a challenge to confirm the session",
        { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        { response: { 200: RequestOptionsBody } },
      ),
      async (request) => auth.buildStepUpOptions(callerOf(request), findRelyingParty(request)),
    );

    app.post(
      "/auth/logout",
      operation(
        "signOut",
        "Sign out",
        { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        { description: "Ends the session and every token of the caller.", response: { 200: LogoutBody } },
      ),
      async (request, reply) => {
        reply.header("set-cookie", NO_COOKIE);
        return auth.logout(clientNetworkOf(request.ip), callerOf(request));
      },
    );

    app.get(
      "/auth/jwks",
      operation(
        "listSigningKeys",
        "List the public keys that verify tokens",
        { needs: "authenticated", bySite: "own" },
        { response: { 200: JwksBody } },
      ),
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

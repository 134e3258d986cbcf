import { clientNetworkOf } from "@kit/guard/address";
import { Problem } from "@kit/problem";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { LogoutBody } from "../auth/auth.schema.ts";
import { readDevice } from "../auth/device.ts";
import { formatCookie, NO_COOKIE } from "../sessions/session.ts";
import { NO_ATTEMPT_COOKIE } from "./attempts.ts";
import {
  CallbackQuery,
  LogoutTokenRequest,
  Page,
  ProviderLogoutBody,
  ProviderPath,
  StartQuery,
} from "./oidc.schema.ts";
import type { OidcService } from "./oidc.service.ts";
import { formatRefusalPage, formatReturnPage } from "./return-page.ts";

const FORM = "application/x-www-form-urlencoded";
const HTML = "text/html; charset=utf-8";
const STATUS = { unauthenticated: 401, forbidden: 403, conflict: 409, unavailable: 503 } as const;
type ErrorKind = keyof typeof STATUS;
const isShown = (kind: string): kind is ErrorKind => Object.hasOwn(STATUS, kind);

export function oidcRoutes(oidc: OidcService): Routes {
  return async (app) => {
    app.addContentTypeParser<string>(FORM, { parseAs: "string" }, (_request, form, done) =>
      done(null, Object.fromEntries(new URLSearchParams(form))),
    );

    app.get(
      "/auth/oidc/:provider/start",
      operation(
        "startOidcSignIn",
        "Start a sign-in at an identity provider",
        { needs: "public" },
        {
          description: "Answers 302 to the provider. `next` is a path of this site.",
          params: ProviderPath,
          querystring: StartQuery,
          response: { 302: Type.Null() },
        },
      ),
      async ({ params, query }, reply) => {
        const { location, cookie } = await oidc.start(params.provider, query.next);
        reply.header("set-cookie", cookie);
        return reply.redirect(location, 302);
      },
    );

    app.get(
      "/auth/oidc/:provider/callback",
      operation(
        "finishOidcSignIn",
        "Finish a sign-in at an identity provider",
        { needs: "public" },
        {
          description:
            "Answers a page that leads to `next`, and sets the session cookie. 401, 403, 409 and 503 are pages for a browser.",
          params: ProviderPath,
          querystring: CallbackQuery,
          response: { 200: Page },
        },
      ),
      async (request, reply) => {
        const { url, headers, params } = request;
        const search = url.includes("?") ? url.slice(url.indexOf("?")) : "";
        try {
          const returning = { device: readDevice(request), search, cookies: headers.cookie };
          const { sessionId, next } = await oidc.finish(params.provider, returning);
          reply.header("set-cookie", [formatCookie(sessionId), NO_ATTEMPT_COOKIE]);
          return await reply.type(HTML).send(formatReturnPage(next));
        } catch (error) {
          return showRefusal(request, reply, error);
        }
      },
    );

    app.post(
      "/auth/oidc/:provider/logout",
      operation(
        "receiveOidcLogout",
        "Receive a logout from an identity provider",
        { needs: "public", effect: "none" },
        {
          description:
            "A back-channel logout. The session that began at the provider ends, or all sessions of the user.",
          params: ProviderPath,
          body: LogoutTokenRequest,
          response: { 200: LogoutBody },
        },
      ),
      async ({ params, body }) => oidc.endByProvider(params.provider, body.logout_token),
    );

    app.post(
      "/auth/oidc/logout",
      operation(
        "signOutOfOidc",
        "Sign out here and at the identity provider",
        { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        {
          description:
            "As `POST /auth/logout`. `end_session_url` is where the browser ends the session at the provider, or null.",
          response: { 200: ProviderLogoutBody },
        },
      ),
      async (request, reply) => {
        reply.header("set-cookie", NO_COOKIE);
        return oidc.logout(clientNetworkOf(request.ip), callerOf(request));
      },
    );
  };
}

/** A person returns from the provider with a browser, so a refusal is a page unless the client asks for JSON. */
function showRefusal({ headers }: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const wantsPage = headers.accept?.includes("text/html");
  if (!wantsPage || !(error instanceof Problem) || !isShown(error.kind)) throw error;
  return reply.code(STATUS[error.kind]).type(HTML).send(formatRefusalPage(error.message));
}

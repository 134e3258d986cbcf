import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { clientNetworkOf } from "@kit/guard/address";
import { Problem } from "@kit/problem";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
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
type Shown = keyof typeof STATUS;
const isShown = (kind: string): kind is Shown => Object.hasOwn(STATUS, kind);

export function oidcRoutes(oidc: OidcService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addContentTypeParser<string>(FORM, { parseAs: "string" }, (_request, form, done) =>
      done(null, Object.fromEntries(new URLSearchParams(form))),
    );

    app.get(
      "/auth/oidc/:provider/start",
      {
        config: { needs: "public" },
        schema: {
          operationId: "startOidcSignIn",
          summary: "Start a sign-in at an identity provider",
          params: ProviderPath,
          querystring: StartQuery,
          response: { 302: Type.Null() },
        },
      },
      async ({ params, query }, reply) => {
        const { location, cookie } = await oidc.start(params.provider, query.next);
        reply.header("set-cookie", cookie);
        return reply.redirect(location, 302);
      },
    );

    app.get(
      "/auth/oidc/:provider/callback",
      {
        config: { needs: "public" },
        schema: {
          operationId: "finishOidcSignIn",
          summary: "Finish a sign-in at an identity provider",
          params: ProviderPath,
          querystring: CallbackQuery,
          response: { 200: Page },
        },
      },
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
      {
        config: { needs: "public", effect: "none" },
        schema: {
          operationId: "receiveOidcLogout",
          summary: "Receive a logout from an identity provider",
          params: ProviderPath,
          body: LogoutTokenRequest,
          response: { 200: LogoutBody },
        },
      },
      async ({ params, body }) => oidc.endByProvider(params.provider, body.logout_token),
    );

    app.post(
      "/auth/oidc/logout",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        schema: {
          operationId: "signOutOfOidc",
          summary: "Sign out here and at the identity provider",
          response: { 200: ProviderLogoutBody },
        },
      },
      async (request, reply) => {
        reply.header("set-cookie", NO_COOKIE);
        return oidc.logout(clientNetworkOf(request.ip), callerOf(request));
      },
    );
  };
}

/** A person comes back from the provider with a browser: the reason is a page, unless the client asks for JSON. */
function showRefusal({ headers }: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const wantsPage = headers.accept?.includes("text/html");
  if (!wantsPage || !(error instanceof Problem) || !isShown(error.kind)) throw error;
  return reply.code(STATUS[error.kind]).type(HTML).send(formatRefusalPage(error.message));
}

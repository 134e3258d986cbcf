import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { TokenBody, TokenRequest } from "./auth.schema.ts";
import type { AuthService } from "./auth.service.ts";

const FORM = "application/x-www-form-urlencoded";

export function authRoutes(auth: AuthService): FastifyPluginAsyncTypebox {
  return async (app) => {
    // OAuth clients post a form, everybody else JSON.
    app.addContentTypeParser<string>(FORM, { parseAs: "string" }, (_request, form, done) =>
      done(null, Object.fromEntries(new URLSearchParams(form))),
    );
    app.post(
      "/auth/token",
      { config: { needs: "public" }, schema: { body: TokenRequest, response: { 200: TokenBody } } },
      async ({ body, ip }) => auth.signIn(ip, body),
    );
  };
}

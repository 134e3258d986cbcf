import type { RegisteredRoute } from "@kit/http/frame";
import { type DeclaredFacts, namesRecord, type OpenApiOptions, takesInput } from "@kit/http/openapi";
import type { FastifyContextConfig } from "fastify";
import Type from "typebox";
import { HEALTH_CHECKS } from "../foundation/health/health.ts";

/** Maps the declarations of SOC routes to OpenAPI. */
export const SOC_OPENAPI: OpenApiOptions = {
  title: "Manara SOC",
  description:
    "Generated from the registered routes. docs/api/soc.md says what each route means. " +
    "In a request body, null counts as absent where an optional field does not accept it.",
  version: "2.0.x",
  securitySchemes: {
    token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    session: { type: "apiKey", in: "cookie", name: "__Host-soc_session" },
    key: { type: "apiKey", in: "header", name: "X-API-Key" },
    scim: { type: "http", scheme: "bearer" },
  },
  error: Type.Object({ detail: Type.String() }),
  factsOf,
  refusalsOf,
};

function factsOf(config: FastifyContextConfig): DeclaredFacts {
  const { needs, effect = "none", byKey, keySchemes, worksOffline } = config;
  const isPublic = needs === "public";
  return {
    security: listSchemes(needs, byKey),
    ...(!isPublic && { "x-permissions": [needs].flat() }),
    "x-effect": effect,
    "x-limits": limitsOf(config),
    ...(keySchemes && { "x-key-schemes": keySchemes }),
    ...(worksOffline && { "x-works-offline": true }),
  };
}

/** The statuses of the API document with which a route can refuse or fail. Others, such as 413, are its `default`. */
function refusalsOf(route: RegisteredRoute): number[] {
  const { path, config } = route;
  const { needs, effect = "none", worksOffline = false } = config;
  // Health checks are not limited. The readiness check needs the database.
  if (HEALTH_CHECKS.includes(path)) return path === "/ready" ? [503] : [];
  // A call of a tool that fails is answered 200 with an envelope, except for these.
  if (path.startsWith("/api/v1/tools/")) return [401, 403, 429];
  const isPublic = needs === "public";
  const isSignIn = path.startsWith("/api/v1/auth/");
  return [
    ...(takesInput(route) ? [400] : []),
    ...(isPublic && !isSignIn ? [] : [401, 403]),
    ...(namesRecord(route) ? [404] : []),
    ...(effect === "none" ? [] : [409]),
    429,
    ...(worksOffline || (isPublic && !isSignIn) ? [] : [503]),
  ];
}

function listSchemes(needs: FastifyContextConfig["needs"], byKey = false): Record<string, string[]>[] {
  if (needs === "public") return [];
  if (needs === "scim") return [{ scim: [] }];
  return [{ token: [] }, { session: [] }, ...(byKey ? [{ key: [] }] : [])];
}

/** The limits that count a request, in addition to the limit per address. */
function limitsOf({ needs, isIntake, isChatMessage, isCountedApart, ...counted }: FastifyContextConfig): string[] {
  if (needs === "public" || needs === "scim") return [];
  if (isIntake) return ["intake"];
  if (isChatMessage) return ["chat"];
  return [
    ...(isCountedApart ? [] : ["general"]),
    ...(counted.isPlaybookExecution ? ["playbooks"] : []),
    ...(counted.isInvestigation ? ["investigations"] : []),
  ];
}

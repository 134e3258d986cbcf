import type { DeclaredFacts, OpenApiOptions } from "@kit/http/openapi";
import type { FastifyContextConfig } from "fastify";
import Type from "typebox";

/** Maps the declarations of SOC routes to OpenAPI. */
export const SOC_OPENAPI: OpenApiOptions = {
  title: "Manara SOC",
  description: "Generated from the registered routes. docs/api/soc.md says what each route means.",
  version: "1",
  securitySchemes: {
    token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    session: { type: "apiKey", in: "cookie", name: "__Host-soc_session" },
    key: { type: "apiKey", in: "header", name: "X-API-Key" },
    scim: { type: "http", scheme: "bearer" },
  },
  error: Type.Object({ detail: Type.String() }),
  factsOf,
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

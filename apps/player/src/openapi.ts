import type { DeclaredFacts, OpenApiOptions } from "@kit/http/openapi";
import type { FastifyContextConfig } from "fastify";
import Type from "typebox";

/** How the declarations of the player's routes read in OpenAPI. */
export const PLAYER_OPENAPI: OpenApiOptions = {
  title: "Manara Player",
  description: "Generated from the registered routes. docs/api/player.md says what each route means.",
  version: "1",
  securitySchemes: {
    token: { type: "http", scheme: "bearer", description: "The token of the device." },
  },
  error: Type.Object({ error: Type.String() }),
  factsOf,
};

function factsOf({ access, budget }: FastifyContextConfig): DeclaredFacts {
  return {
    security: access === "none" ? [] : [{ token: [] }],
    "x-budget": budget,
    ...(budget === "socket" && { responses: { 101: { description: "The connection becomes a WebSocket." } } }),
  };
}

import type { RegisteredRoute } from "@kit/http/frame";
import { type DeclaredFacts, namesRecord, type OpenApiOptions, takesInput } from "@kit/http/openapi";
import type { FastifyContextConfig } from "fastify";
import Type from "typebox";

/** How the declarations of the player's routes read in OpenAPI. */
export const PLAYER_OPENAPI: OpenApiOptions = {
  title: "Manara Player",
  description:
    "Generated from the registered routes. docs/api/player.md says what each route means. " +
    "In a request body, null counts as absent where an optional field does not accept it.",
  version: "1.0.x",
  securitySchemes: {
    token: { type: "http", scheme: "bearer", description: "The token of the device." },
  },
  error: Type.Object({ error: Type.String() }),
  factsOf,
  refusalsOf,
};

function factsOf({ access, budget }: FastifyContextConfig): DeclaredFacts {
  return {
    security: access === "none" ? [] : [{ token: [] }],
    "x-budget": budget,
    ...(budget === "socket" && { responses: { 101: { description: "The connection becomes a WebSocket." } } }),
  };
}

function refusalsOf(route: RegisteredRoute): number[] {
  return [
    ...(takesInput(route) ? [400] : []),
    ...(route.config.access === "none" ? [] : [401]),
    ...(namesRecord(route) ? [404] : []),
    429,
    500,
  ];
}

import type { RegisteredRoute } from "@kit/http/frame";
import { type DeclaredFacts, namesRecord, type OpenApiOptions, takesInput } from "@kit/http/openapi";
import type { FastifyContextConfig } from "fastify";
import Type from "typebox";

/** How the declarations of the player's routes read in OpenAPI. */
export const PLAYER_OPENAPI: OpenApiOptions = {
  title: "Manara Player",
  description:
    "Generated from the registered routes. docs/api/player.md describes the rules that all routes share. " +
    "In a request body, null counts as absent where an optional field does not accept it.",
  version: "1.0.x",
  securitySchemes: {
    token: { type: "http", scheme: "bearer", description: "The token of the device." },
  },
  error: Type.Object({ error: Type.String() }),
  tags: {
    playback: "What plays, and how it continues.",
    library: "Recitations and files on the memory card.",
    uploads: "Files on their way to the card.",
    favorites: "Favorites of the owner.",
    radio: "Saved internet radio stations.",
    rfid: "Cards and what they start.",
    schedules: "What starts at a time.",
    prayer: "Prayer times and the adhan.",
    settings: "Settings of the device.",
    system: "State, power, screen, reset and certificate of the device, and this document.",
    ota: "Firmware updates.",
    backup: "Export and restore of the settings.",
    pairing: "How an owner gets the token of the device.",
    monitoring: "The platform that monitors the device.",
    events: "The WebSocket for events.",
  },
  tagOf,
  factsOf,
  refusalsOf,
};

const SYSTEM_PATHS = [
  "/api/battery",
  "/api/debug/screenshot",
  "/api/openapi.json",
  "/api/reset",
  "/ca.crt",
  "/metrics",
];

function tagOf(path: string): string {
  if (SYSTEM_PATHS.includes(path)) return "system";
  return path.endsWith("/ws") ? "events" : (path.split("/")[2] ?? "");
}

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

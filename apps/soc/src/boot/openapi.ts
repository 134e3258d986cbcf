import type { RegisteredRoute } from "@kit/http/frame";
import { type DeclaredFacts, namesRecord, type OpenApiOptions, takesInput } from "@kit/http/openapi";
import type { FastifyContextConfig } from "fastify";
import Type from "typebox";
import { HEALTH_CHECKS } from "../foundation/health/health.ts";

/** Maps the declarations of SOC routes to OpenAPI. */
export const SOC_OPENAPI: OpenApiOptions = {
  title: "Manara SOC",
  description:
    "Generated from the registered routes. docs/api/soc.md describes the rules that all routes share. " +
    "In a request body, null counts as absent where an optional field does not accept it.",
  version: "2.0.x",
  securitySchemes: {
    token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    session: { type: "apiKey", in: "cookie", name: "__Host-soc_session" },
    key: { type: "apiKey", in: "header", name: "X-API-Key" },
    scim: { type: "http", scheme: "bearer" },
  },
  error: Type.Object({ detail: Type.String() }),
  tags: {
    auth: "Sign-in, tokens and sign-out.",
    me: "The caller's own password, second factors, sessions and preferences.",
    users: "Users, their sessions and their second factors.",
    "api-keys": "Keys for programs.",
    scim: "Users and groups that an identity provider manages, by SCIM 2.0.",
    sites: "Sites, to which records belong.",
    alerts: "What needs the attention of an analyst.",
    cases: "Investigations with their evidence, tasks and comments; templates and targets of cases.",
    inbox: "What the caller must know.",
    views: "Saved filters of lists.",
    search: "Search over all records, and the activity of one record.",
    entities: "Hosts, users and addresses that alerts name, with their risk.",
    intake: "Logs in the protocols of other products.",
    siem: "Logs, log sources and saved searches.",
    detections: "Detection rules, their runs and matches, suppressions, exceptions and backtests.",
    iocs: "Indicators of compromise.",
    soar: "Playbooks, executions and automations.",
    approvals: "Decisions that critical work waits for.",
    edr: "Endpoints and the commands that are sent to them.",
    notifications: "Channels and deliveries of notifications.",
    devices: "Devices, their attestations and the firmware catalog.",
    correlations: "Alerts that belong together.",
    agents: "Agents and their investigations.",
    tools: "Tools for agents and language models, and the MCP server.",
    chat: "Questions in plain words.",
    reports: "Reports as files.",
    stats: "Figures for overviews.",
    ledger: "The signed record of cases, with proofs.",
    audit: "The audit log.",
    events: "The stream of events.",
    batch: "Several reads in one request.",
    system: "Health, mode and topology of the service, and this document.",
  },
  tagOf,
  factsOf,
  refusalsOf,
};

/** The nouns of paths that belong to a section with another name. */
const SECTIONS: Readonly<Record<string, string>> = {
  activity: "search",
  "case-sla": "cases",
  "case-templates": "cases",
  cps: "devices",
  dashboard: "stats",
  directory: "users",
  firmware: "devices",
  "openapi.json": "system",
  playbooks: "soar",
};

function tagOf(path: string): string {
  const noun = /^\/api\/v1\/([^/]+)/.exec(path)?.[1];
  if (noun !== undefined) return SECTIONS[noun] ?? noun;
  if (path.startsWith("/scim/")) return "scim";
  if (path.endsWith("/mcp")) return "tools";
  return ["/health", "/ready", "/metrics"].includes(path) ? "system" : "intake";
}

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

/** The documented statuses with which a route can refuse or fail. Others, such as 413, are its `default`. */
function refusalsOf(route: RegisteredRoute): number[] {
  const { path, config } = route;
  const { needs, effect = "none", worksOffline = false } = config;
  // Health checks are not limited. The readiness check needs the database.
  if (HEALTH_CHECKS.includes(path)) return path === "/ready" ? [503] : [];
  // A failing tool call is answered with 200 and an envelope, except for these statuses.
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

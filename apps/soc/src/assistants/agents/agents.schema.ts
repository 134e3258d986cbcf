import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { TextOrNull, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { SiteId, SiteIdOrText } from "../../identity/sites/site-fields.schema.ts";
import { ASSET_CLASSES } from "../../identity/sites/sites.schema.ts";

export const AGENT_STATUSES = ["active", "disabled", "error"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** The names without "Agent" in snake case. */
export const AGENT_TYPES = [
  "triage",
  "enrichment",
  "correlation",
  "threat_intel",
  "threat_hunt",
  "malware",
  "phishing",
  "identity",
  "network",
  "endpoint",
  "cloud",
  "cps_guard",
  "firmware",
  "response",
  "report",
  "supervisor",
] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

const MAX_INSTANCES = 10;

export const AgentBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Enum([...AGENT_TYPES]),
    sites: Type.Array(Type.String(), { description: "the ids of the sites where it is deployed" }),
    status: Type.Enum([...AGENT_STATUSES]),
    instances: Type.Integer({ description: "0 parks the agent" }),
    capabilities: Type.Array(Type.String()),
    asset_classes: Type.Array(Type.Enum([...ASSET_CLASSES])),
    last_active: TimeOrNull,
    runs_24h: Type.Integer(),
    error: TextOrNull,
  },
  { title: "Agent" },
);
export type AgentBody = Static<typeof AgentBody>;

export const ListAgentsQuery = Type.Object({
  ...PageQuery.properties,
  site: Type.Optional(SiteId),
  status: Type.Optional(Type.Enum([...AGENT_STATUSES])),
  type: Type.Optional(Type.Enum([...AGENT_TYPES])),
});
export type ListAgentsQuery = Static<typeof ListAgentsQuery>;

/** `id` is the id or the name of an agent. */
export const AgentPath = Type.Object({ id: Type.String() });

export const SiteOfAgentRequest = Type.Object(
  { site_id: SiteIdOrText },
  { title: "SiteOfAgentRequest", additionalProperties: false },
);

export const ScaleAgentRequest = Type.Object(
  { instances: Type.Integer({ minimum: 0, maximum: MAX_INSTANCES }) },
  { title: "ScaleAgentRequest", additionalProperties: false },
);

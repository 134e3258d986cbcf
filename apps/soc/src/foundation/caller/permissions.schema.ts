export const ROLES = [
  "admin",
  "manager",
  "tier3",
  "tier2",
  "tier1",
  "detection",
  "responder",
  "auditor",
  "agent",
] as const;

export const PERMISSIONS = [
  "audit:read",
  "alerts:read",
  "alerts:write",
  "cases:read",
  "cases:write",
  "cases:delete",
  "cases:manage",
  "agents:read",
  "agents:manage",
  "investigation:trigger",
  "sites:read",
  "sites:manage",
  "siem:read",
  "siem:search",
  "siem:ingest",
  "detections:read",
  "detections:write",
  "edr:read",
  "edr:manage",
  "soar:read",
  "soar:manage",
  "soar:execute",
  "playbooks:read",
  "playbooks:execute",
  "cps:read",
  "cps:manage",
  "approvals:manage",
  "reports:read",
  "iocs:read",
  "iocs:write",
  "stats:read",
] as const;

const ALL_ROLES_BUT_READERS = ["admin", "manager", "tier3", "tier2", "tier1", "responder", "agent"] as const;

/** Every role may read, except the audit log. */
type Restricted = Exclude<(typeof PERMISSIONS)[number], `${string}:read`> | "audit:read";

/** Which roles have each restricted permission: docs/api/soc.md, "Permissions". */
export const HOLDERS: Readonly<Record<Restricted, readonly (typeof ROLES)[number][]>> = {
  "audit:read": ["admin", "manager", "auditor"],
  "alerts:write": ALL_ROLES_BUT_READERS,
  "cases:write": ALL_ROLES_BUT_READERS,
  "cases:delete": ["admin", "manager"],
  "cases:manage": ["admin", "manager"],
  "agents:manage": ["admin", "manager"],
  "investigation:trigger": ["admin", "manager", "tier3", "tier2", "responder", "agent"],
  "sites:manage": ["admin"],
  "siem:search": ["admin", "manager", "tier3", "tier2", "detection", "responder", "agent"],
  "siem:ingest": ["admin", "agent"],
  "detections:write": ["admin", "tier3", "detection"],
  "edr:manage": ["admin", "tier3", "responder"],
  "soar:manage": ["admin", "manager"],
  "soar:execute": ["admin", "tier3", "responder"],
  "playbooks:execute": ["admin", "tier3", "tier2", "responder", "agent"],
  "cps:manage": ["admin", "responder"],
  "approvals:manage": ["admin", "manager"],
  "iocs:write": ["admin", "manager", "tier3", "tier2", "detection", "responder", "agent"],
};

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

const ALL_ROLES_BUT_READERS = ["admin", "manager", "tier3", "tier2", "tier1", "responder", "agent"] as const;

/** The roles that hold each permission: docs/api/soc.md, "Permissions". */
export const HOLDERS = {
  "audit:read": ["admin", "manager", "auditor"],
  "alerts:read": ROLES,
  "alerts:write": ALL_ROLES_BUT_READERS,
  "cases:read": ROLES,
  "cases:write": ALL_ROLES_BUT_READERS,
  "cases:delete": ["admin", "manager"],
  "cases:manage": ["admin", "manager"],
  "agents:read": ROLES,
  "agents:manage": ["admin", "manager"],
  "investigation:trigger": ["admin", "manager", "tier3", "tier2", "responder", "agent"],
  "sites:read": ROLES,
  "sites:manage": ["admin"],
  "siem:read": ROLES,
  "siem:search": ["admin", "manager", "tier3", "tier2", "detection", "responder", "agent"],
  "siem:ingest": ["admin", "agent"],
  "detections:read": ROLES,
  "detections:write": ["admin", "tier3", "detection"],
  "edr:read": ROLES,
  "edr:manage": ["admin", "tier3", "responder"],
  "soar:read": ROLES,
  "soar:manage": ["admin", "manager"],
  "soar:execute": ["admin", "tier3", "responder"],
  "playbooks:read": ROLES,
  "playbooks:execute": ["admin", "tier3", "tier2", "responder", "agent"],
  "cps:read": ROLES,
  "cps:manage": ["admin", "responder"],
  "approvals:manage": ["admin", "manager"],
  "reports:read": ROLES,
  "iocs:read": ROLES,
  "iocs:write": ["admin", "manager", "tier3", "tier2", "detection", "responder", "agent"],
  "stats:read": ROLES,
} as const satisfies Readonly<Record<string, readonly (typeof ROLES)[number][]>>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is a constant: it has these keys and no others
export const PERMISSIONS = Object.keys(HOLDERS) as (keyof typeof HOLDERS)[];

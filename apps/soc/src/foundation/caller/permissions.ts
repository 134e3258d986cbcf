import type { PERMISSIONS, ROLES } from "./permissions.schema.ts";

export type Role = (typeof ROLES)[number];
export type Permission = (typeof PERMISSIONS)[number];

/**
 * What a route requires: nothing, any authenticated caller, an administrator, the token of a provider that manages users
 * (no caller has it), or all of the listed permissions.
 */
export type Needs = "public" | "authenticated" | "role:admin" | "scim" | readonly Permission[];

const ALL_ROLES_BUT_READERS = ["admin", "manager", "tier3", "tier2", "tier1", "responder", "agent"] as const;

/** Every role may read, except the audit log. */
type Restricted = Exclude<Permission, `${string}:read`> | "audit:read";

/** Which roles have each restricted permission: docs/api/soc.md, "Permissions". */
const HOLDERS: Readonly<Record<Restricted, readonly Role[]>> = {
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
const HOLDERS_OF: ReadonlyMap<string, readonly Role[]> = new Map(Object.entries(HOLDERS));

export function isAllowed(role: Role, needs: Needs): boolean {
  if (needs === "public" || needs === "authenticated") return true;
  if (needs === "role:admin" || needs === "scim") return needs === "role:admin" && role === "admin";
  return needs.every((permission) => holds(role, permission));
}

export function holds(role: Role, permission: Permission): boolean {
  return HOLDERS_OF.get(permission)?.includes(role) ?? permission.endsWith(":read");
}

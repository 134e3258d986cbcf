export const ENTITY_TYPES = ["host", "user", "address", "domain", "hash"] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** What people offer as types; others are possible. */
export const OBSERVABLE_TYPES = ["ip", "domain", "url", "sha256", "md5", "email", "host", "user", "file", "process"];

const BY_TYPE: Readonly<Record<string, EntityType>> = {
  ip: "address",
  ipv4: "address",
  ipv6: "address",
  address: "address",
  domain: "domain",
  fqdn: "domain",
  hash: "hash",
  md5: "hash",
  sha1: "hash",
  sha256: "hash",
  host: "host",
  hostname: "host",
  user: "user",
  username: "user",
  account: "user",
};

/** The kind of entity that an observable names, whose page shows where it was seen; undefined for a URL and others. */
export function toEntityType(type: string): EntityType | undefined {
  return BY_TYPE[type.toLowerCase()];
}

const FIELDS: Readonly<Record<EntityType, readonly string[]>> = {
  host: ["host"],
  user: ["user"],
  address: ["src_ip", "dst_ip"],
  domain: [],
  hash: [],
};

/** The search in the logs that finds it: by its field, else as words. */
export function toHuntQuery(type: string, value: string): string {
  const quoted = `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  const kind = toEntityType(type);
  const fields = kind ? FIELDS[kind] : [];
  return fields.length === 0 ? quoted : fields.map((field) => `${field}:${quoted}`).join(" OR ");
}

/** The type that a typed value most likely has. */
export function guessType(value: string): string {
  if (/^[a-f\d]{64}$/i.test(value)) return "sha256";
  if (/^[a-f\d]{32}$/i.test(value)) return "md5";
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(value) || /^[a-f\d:]*:[a-f\d:]*:[a-f\d:.]*$/i.test(value)) return "ip";
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return "url";
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return "email";
  return /^[^\s/@:]+\.[^\s/@:]+$/.test(value) ? "domain" : "host";
}

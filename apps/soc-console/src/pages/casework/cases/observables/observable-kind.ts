export const ENTITY_TYPES = ["host", "user", "address", "domain", "hash"] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** Suggested types; others are allowed. */
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

/** The entity kind of an observable, which has a page; undefined for URLs and other types. */
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

/** The log search for the value: by its field, otherwise as free text. */
export function toHuntQuery(type: string, value: string): string {
  const quoted = `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  const kind = toEntityType(type);
  const fields = kind ? FIELDS[kind] : [];
  return fields.length === 0 ? quoted : fields.map((field) => `${field}:${quoted}`).join(" OR ");
}

/** The most likely type of a value. */
export function guessType(value: string): string {
  if (/^[a-f\d]{64}$/i.test(value)) return "sha256";
  if (/^[a-f\d]{32}$/i.test(value)) return "md5";
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(value) || /^[a-f\d:]*:[a-f\d:]*:[a-f\d:.]*$/i.test(value)) return "ip";
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return "url";
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return "email";
  return /^[^\s/@:]+\.[^\s/@:]+$/.test(value) ? "domain" : "host";
}

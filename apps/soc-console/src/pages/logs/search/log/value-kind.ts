import type { EntityKind } from "../../../reporting/entities/entity-link.tsx";

const BY_FIELD: Readonly<Record<string, EntityKind>> = { host: "host", user: "user", src_ip: "ip", dst_ip: "ip" };
const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const IPV6 = /^(?=.*:.*:)[0-9a-f:]{3,39}$/i;
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
/** Endings of file names that look like domains. */
const FILE =
  /\.(?:exe|dll|sys|ps1|bat|cmd|vbs|js|sh|py|txt|log|tmp|dat|json|xml|conf|evtx|lnk|msi|zip|pdf|docx?|xlsx?)$/i;

/** The entity kind of a value; undefined for values that are not an entity. */
export function findEntityKind(field: string, value: string): EntityKind | undefined {
  const known = BY_FIELD[field];
  if (known) return known;
  if (HASH.test(value)) return "hash";
  if (IPV4.test(value) || IPV6.test(value)) return "ip";
  return DOMAIN.test(value) && !FILE.test(value) ? "domain" : undefined;
}

/** Whether a value can be an indicator: addresses, domains and hashes, but not our own hosts or users. */
export function isIndicator(field: string, value: string): boolean {
  const kind = findEntityKind(field, value);
  return kind === "ip" || kind === "hash" || kind === "domain";
}

/** The observable type, as cases name it. */
export function findObservableType(field: string, value: string): string {
  const kind = findEntityKind(field, value);
  if (kind !== "hash") return kind ?? "other";
  return value.length === 32 ? "md5" : value.length === 40 ? "sha1" : "sha256";
}

import { isIP } from "node:net";
import { unifyAddress } from "../../foundation/records/entity-name.ts";
import type { Alert } from "./alert.ts";

export interface AlertObservable {
  type: string;
  value: string;
  source: string;
  tags: string[];
  context: { alert_id: string };
}

/** The maximum number of observables that a case copies from an alert; the alert keeps the rest. */
const MAX_OBSERVABLES = 200;

const HASH_TYPES: ReadonlyMap<number, string> = new Map([
  [32, "md5"],
  [40, "sha1"],
  [64, "sha256"],
]);

/** Returns the IOCs, hosts, users and addresses of an alert without duplicates. */
export function listObservables(alert: Alert): AlertObservable[] {
  const { id: alert_id, source, iocs, entities } = alert;
  const found = [
    ...iocs.map((value) => ({ type: findType(value), value, tags: ["ioc"] })),
    ...entities.hosts.map(({ full_name: value }) => ({ type: "host", value, tags: [] })),
    ...entities.users.map(({ full_name: value }) => ({ type: "user", value, tags: [] })),
    ...entities.addresses.map(({ name: value }) => ({ type: "ip", value, tags: [] })),
  ];
  const unique = new Map<string, (typeof found)[number]>();
  for (const each of found) {
    const key = JSON.stringify([each.type, each.type === "ip" ? unifyAddress(each.value) : each.value]);
    if (!unique.has(key)) unique.set(key, each);
  }
  return [...unique.values()].slice(0, MAX_OBSERVABLES).map((each) => ({ ...each, source, context: { alert_id } }));
}

function findType(value: string): string {
  if (isIP(value) !== 0) return "ip";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return "url";
  if (/^[0-9a-f]+$/i.test(value)) return HASH_TYPES.get(value.length) ?? "other";
  if (/^[^\s@/]+@[^\s@/]+$/.test(value)) return "email";
  return /^[^\s/\\]+\.[a-z][a-z0-9-]+$/i.test(value) ? "domain" : "other";
}

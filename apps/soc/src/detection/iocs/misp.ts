import { invalidField, type Problem } from "@kit/problem";
import {
  type Fields,
  formatOwnLabel,
  isFields,
  type Labels,
  listAt,
  optional,
  type Reading,
  readLabels,
  requireFew,
  textAt,
  toSource,
} from "./exchange.ts";
import type { IocType } from "./indicator.ts";
import type { Ioc } from "./ioc.ts";
import { type CreateIocRequest, TLP_LEVELS } from "./iocs.schema.ts";

// MISP attribute types and the meaning of their parts, which are separated by a vertical bar. The type of an address is
// detected from its value.
const PARTS: Readonly<Record<string, readonly (IocType | "address" | "none")[]>> = {
  "ip-src": ["address"],
  "ip-dst": ["address"],
  "ip-src|port": ["address", "none"],
  "ip-dst|port": ["address", "none"],
  domain: ["domain"],
  hostname: ["domain"],
  "hostname|port": ["domain", "none"],
  "domain|ip": ["domain", "address"],
  url: ["url"],
  uri: ["url"],
  email: ["email"],
  "email-src": ["email"],
  "email-dst": ["email"],
  md5: ["md5"],
  sha1: ["sha1"],
  sha256: ["sha256"],
  "filename|md5": ["none", "md5"],
  "filename|sha1": ["none", "sha1"],
  "filename|sha256": ["none", "sha256"],
};
// threat_level_id of an event (MISP core format, 2.2.1).
const SEVERITIES: ReadonlyMap<string, Ioc["severity"]> = new Map([
  ["1", "high"],
  ["2", "medium"],
  ["3", "low"],
]);

interface MispEvent {
  common: Labels & { severity?: Ioc["severity"]; source?: string; tlp?: Ioc["tlp"] };
  attributes: readonly unknown[];
}

/** Reads every attribute of one event, of several events, or of a list of attributes. */
export function readMisp(body: unknown): Reading[] {
  const events = eventsIn(body);
  requireFew(events.reduce((count, { attributes }) => count + attributes.length, 0));
  const all = events.flatMap(({ common, attributes }) => attributes.map((attribute) => ({ common, attribute })));
  return all.flatMap(({ common, attribute }, place) => readAttribute(attribute, place, common));
}

function eventsIn(body: unknown): MispEvent[] {
  if (Array.isArray(body)) return body.flatMap(eventsIn);
  if (!isFields(body)) throw notMisp();
  if (body.response !== undefined) return eventsIn(body.response);
  if (isFields(body.Event)) return [readEvent(body.Event)];
  if (Array.isArray(body.Attribute)) return [readEvent(body)];
  throw notMisp();
}

function notMisp(): Problem {
  return invalidField("body", "must be a MISP event or a list of attributes");
}

function readEvent(event: Fields): MispEvent {
  const inObjects = listAt(event, "Object").flatMap((object) => (isFields(object) ? listAt(object, "Attribute") : []));
  const organisation = isFields(event.Orgc) ? textAt(event.Orgc, "name") : undefined;
  return {
    common: {
      ...readTags(event),
      ...optional("severity", SEVERITIES.get(String(event.threat_level_id))),
      ...optional("source", organisation),
    },
    attributes: [...listAt(event, "Attribute"), ...inObjects],
  };
}

function readTags(tagged: Fields): Labels & { tlp?: Ioc["tlp"] } {
  const names = listAt(tagged, "Tag").flatMap((tag) => (isFields(tag) ? (textAt(tag, "name") ?? []) : []));
  const levels = names.flatMap((name) => parseTlp(name) ?? []);
  const labels = readLabels(names.filter((name) => parseTlp(name) === undefined));
  return { ...labels, ...optional("tlp", levels[0]) };
}

function parseTlp(tag: string): Ioc["tlp"] | undefined {
  const [, level = ""] = /^tlp:(.+)$/i.exec(tag) ?? [];
  return level.toLowerCase() === "white" ? "clear" : TLP_LEVELS.find((each) => each === level.toLowerCase());
}

function readAttribute(attribute: unknown, object: number, event: MispEvent["common"]): Reading[] {
  if (!isFields(attribute)) return [{ object, id: "", reason: "is not an attribute" }];
  const id = textAt(attribute, "uuid") ?? "";
  const reason = findRefusal(attribute);
  if (reason !== undefined) return [{ object, id, reason }];
  const parts = findParts(textAt(attribute, "type") ?? "") ?? [];
  const values = (textAt(attribute, "value") ?? "").split("|");
  const common = toCommonFields(attribute, event);
  return parts.flatMap((part, at) => {
    if (part === "none") return [];
    const value = parts.length === 1 ? values.join("|") : (values[at] ?? "");
    return [{ object, id, request: { ...common, value, ...(part !== "address" && { type: part }) } }];
  });
}

/** The type comes from the file: `constructor` must not find a member of every object. */
function findParts(type: string) {
  return Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
}

function findRefusal(attribute: Fields): string | undefined {
  const type = textAt(attribute, "type") ?? "";
  if (findParts(type) === undefined) return `type: '${type}' is not supported`;
  if (attribute.deleted === true) return "deleted: the attribute was deleted";
  return attribute.to_ids === false ? "to_ids: the attribute is not meant for detection" : undefined;
}

function toCommonFields(attribute: Fields, event: MispEvent["common"]): Omit<CreateIocRequest, "value"> {
  const own = readTags(attribute);
  const first = textAt(attribute, "first_seen") ?? readTimestamp(attribute);
  const last = textAt(attribute, "last_seen") ?? first;
  return {
    tags: [...new Set([...event.tags, ...own.tags])].slice(0, 50),
    ...toSource(own.source ?? event.source ?? "misp"),
    ...optional("severity", own.severity ?? event.severity),
    ...optional("confidence", own.confidence),
    ...optional("tlp", own.tlp ?? event.tlp),
    ...optional("first_seen", first),
    ...optional("last_seen", last),
    ...optional("expires_at", own.expires_at),
  };
}

/** Parses epoch seconds in a string. */
function readTimestamp(attribute: Fields): string | undefined {
  const seconds = Number(attribute.timestamp);
  return Number.isInteger(seconds) && seconds > 0 && seconds < 1e11
    ? new Date(seconds * 1000).toISOString()
    : undefined;
}

const TYPES: Readonly<Record<IocType, { type: string; category: string }>> = {
  ipv4: { type: "ip-dst", category: "Network activity" },
  ipv6: { type: "ip-dst", category: "Network activity" },
  cidr: { type: "ip-dst", category: "Network activity" },
  domain: { type: "domain", category: "Network activity" },
  url: { type: "url", category: "Network activity" },
  email: { type: "email", category: "Payload delivery" },
  md5: { type: "md5", category: "Payload delivery" },
  sha1: { type: "sha1", category: "Payload delivery" },
  sha256: { type: "sha256", category: "Payload delivery" },
};

export function toMispAttribute(ioc: Ioc): object {
  const tags = [
    ...ioc.tags,
    `tlp:${ioc.tlp}`,
    formatOwnLabel("severity", ioc.severity),
    formatOwnLabel("confidence", ioc.confidence),
    formatOwnLabel("source", ioc.source),
    ...(ioc.expires_at ? [formatOwnLabel("expires-at", ioc.expires_at.toISOString())] : []),
  ];
  return {
    uuid: ioc.id,
    ...TYPES[ioc.type],
    value: ioc.value,
    to_ids: true,
    timestamp: String(Math.floor(ioc.last_seen.getTime() / 1000)),
    first_seen: ioc.first_seen.toISOString(),
    last_seen: ioc.last_seen.toISOString(),
    distribution: "0",
    comment: "",
    Tag: tags.map((name) => ({ name })),
  };
}

/** The metadata of the exported event: threat level undefined, for this organisation only. */
export function buildMispEvent(uuid: string, now: Date): object {
  return {
    uuid,
    info: "Indicators of Manara",
    date: now.toISOString().slice(0, 10),
    timestamp: String(Math.floor(now.getTime() / 1000)),
    threat_level_id: "4",
    analysis: "2",
    distribution: "0",
    published: false,
  };
}

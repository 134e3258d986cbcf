import { invalidField } from "@kit/problem";
import type { Ioc } from "./ioc.ts";
import { type CreateIocRequest, IOC_SEVERITIES, MAX_IOCS_PER_REQUEST } from "./iocs.schema.ts";

/** An indicator in an external format: parsed, or refused with the reason. */
export type Reading = { object: number; id: string } & ({ request: CreateIocRequest } | { reason: string });

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listAt(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

export function textsAt(fields: Fields, name: string): string[] {
  return listAt(fields, name).filter((each) => typeof each === "string");
}

export function requireFew(count: number): void {
  if (count > MAX_IOCS_PER_REQUEST) throw invalidField("body", `must have at most ${MAX_IOCS_PER_REQUEST} objects`);
}

const MAX_TAG_LENGTH = 100;
const MAX_TAGS = 50;
const MAX_SOURCE_LENGTH = 100;

/** The labels of an external object: plain tags, and our own fields that an export encoded as labels. */
export interface Labels {
  tags: string[];
  severity?: Ioc["severity"];
  confidence?: number;
  source?: string;
  expires_at?: string;
}

// The syntax of MISP machine tags.
const OWN_LABEL = /^manara:([a-z-]+)="([^"]*)"$/;

export function formatOwnLabel(
  name: "severity" | "confidence" | "source" | "expires-at",
  value: string | number,
): string {
  return `manara:${name}="${String(value).replaceAll('"', "'")}"`;
}

export function readLabels(written: readonly string[]): Labels {
  const labels: Labels = { tags: [] };
  for (const each of written) {
    const [, name = "", value = ""] = OWN_LABEL.exec(each) ?? [];
    const severity = IOC_SEVERITIES.find((known) => known === value);
    if (name === "severity" && severity) labels.severity = severity;
    else if (name === "confidence") labels.confidence = Number(value);
    else if (name === "source") labels.source = value;
    else if (name === "expires-at") labels.expires_at = value;
    else if (each.trim() !== "" && each.length <= MAX_TAG_LENGTH && labels.tags.length < MAX_TAGS)
      labels.tags.push(each);
  }
  return labels;
}

export function toSource(text: string | undefined): Pick<CreateIocRequest, "source"> {
  const source = text?.trim().slice(0, MAX_SOURCE_LENGTH);
  return source === undefined || source === "" ? {} : { source };
}

/** Returns an empty object if the value is undefined. */
export function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : { [name]: value };
}

import { invalidField } from "@kit/problem";
import type { Ioc } from "./ioc.ts";
import { type CreateIocRequest, IOC_SEVERITIES, MAX_IOCS_PER_REQUEST } from "./iocs.schema.ts";

/** An indicator in the words of another platform: read, or refused with the reason. */
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

const TAG = 100;
const TAGS = 50;
const SOURCE = 100;

/** What a foreign list of words holds for us: tags, and what we ourselves have written among them. */
export interface Words {
  tags: string[];
  severity?: Ioc["severity"];
  confidence?: number;
  source?: string;
  expires_at?: string;
}

// As MISP spells its machine tags.
const OWN = /^manara:([a-z-]+)="([^"]*)"$/;

export function spellOwn(name: "severity" | "confidence" | "source" | "expires-at", value: string | number): string {
  return `manara:${name}="${String(value).replaceAll('"', "'")}"`;
}

export function readWords(written: readonly string[]): Words {
  const words: Words = { tags: [] };
  for (const each of written) {
    const [, name = "", value = ""] = OWN.exec(each) ?? [];
    const severity = IOC_SEVERITIES.find((known) => known === value);
    if (name === "severity" && severity) words.severity = severity;
    else if (name === "confidence") words.confidence = Number(value);
    else if (name === "source") words.source = value;
    else if (name === "expires-at") words.expires_at = value;
    else if (each.trim() !== "" && each.length <= TAG && words.tags.length < TAGS) words.tags.push(each);
  }
  return words;
}

export function toSource(text: string | undefined): Pick<CreateIocRequest, "source"> {
  const source = text?.trim().slice(0, SOURCE);
  return source === undefined || source === "" ? {} : { source };
}

/** Nothing, when the value is not known. */
export function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : { [name]: value };
}

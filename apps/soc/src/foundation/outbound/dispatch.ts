import { createHash } from "node:crypto";
import { invalidField } from "@kit/problem";
import type { Mode } from "../runtime/runtime.schema.ts";
import type { OutboundEntryBody, StartBody } from "./outbound.schema.ts";

/** Something that is to leave the platform. */
export interface Dispatch {
  /** An effect changes something out there; a question only needs its answer. */
  kind: "effect" | "question";
  /** What kind of place it goes to, such as edr or webhook; refusals start with it. */
  destination: string;
  /** Why, in words that may be read by every caller: no secret, no text of a record. */
  purpose: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Signs it, with the time at which it leaves. */
  signingKey?: Uint8Array;
  /** For all of it, from the first look at the name to the last byte of the answer. */
  timeoutMs: number;
}

/** In dry_run an effect is only recorded: nothing was sent, and there is no answer. */
export type Receipt<Given = Answer> =
  | { outcome: "recorded"; id: string }
  | { outcome: "answered"; id: string; answer: Given };

export interface Answer {
  status: number;
  body: Buffer;
}

export type OutboundEntry = Omit<OutboundEntryBody, "at"> & { at: Date };
export type Start = Omit<StartBody, "at"> & { at: Date };

/** What an entry says of a dispatch: enough to recognise it, nothing to repeat it with. */
export type Facts = Omit<OutboundEntry, "id" | "at" | "outcome" | "status" | "of">;

export function buildFacts(dispatch: Dispatch, mode: Mode): Facts {
  const { kind, destination, purpose, method, url, body = "" } = dispatch;
  if (!URL.canParse(url)) throw invalidField(destination, "must be a valid URL");
  const { host, pathname } = new URL(url);
  const bytes = Buffer.from(body);
  return {
    mode,
    kind,
    destination,
    purpose,
    method,
    host,
    path: withoutKeys(pathname),
    body_sha256: createHash("sha256").update(bytes).digest("hex"),
    body_bytes: bytes.length,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const KEY_LENGTH = 20;

/** The address of a webhook is its password: parts of a path that are long enough for one are left out, unless they are ids. */
function withoutKeys(path: string): string {
  return path
    .split("/")
    .map((part) => (part.length < KEY_LENGTH || UUID.test(part) ? part : "…"))
    .join("/");
}

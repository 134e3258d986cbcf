import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { invalidField } from "@kit/problem";
import type { Mode } from "../runtime/runtime.schema.ts";
import type { OutboundEntryBody, StartBody } from "./outbound.schema.ts";

/** A request to another system. */
export interface Dispatch {
  /** An effect changes another system; a question only reads from it. */
  kind: "effect" | "question";
  /** The kind of receiver, such as edr or webhook. Error texts start with it. */
  destination: string;
  /** The reason. Every caller may read it, so it must contain no secret and no text of a record. */
  purpose: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Signs the request together with its sending time. */
  signingKey?: Uint8Array;
  /** The limit for the whole exchange, from name resolution to the last byte of the response. */
  timeoutMs: number;
  /** Aborts when the response is no longer wanted. */
  signal?: AbortSignal;
}

/** In dry_run an effect is only recorded: nothing is sent and there is no response. */
export type Receipt<Given = Answer> =
  | { outcome: "recorded"; id: string }
  | { outcome: "answered"; id: string; answer: Given };

export interface Answer {
  status: number;
  body: Buffer;
}

/** A response whose body is still arriving. */
export interface ArrivingAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: AsyncIterable<Buffer>;
}

export type OutboundEntry = Omit<OutboundEntryBody, "at"> & { at: Date };
export type Start = Omit<StartBody, "at"> & { at: Date };

/** What an entry records about a dispatch: enough to recognise it, not enough to repeat it. */
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
    path: withoutSecrets(pathname),
    body_sha256: createHash("sha256").update(bytes).digest("hex"),
    body_bytes: bytes.length,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SECRET_LENGTH = 20;

/** The URL of a webhook is its secret: omits path segments that are long enough to be a secret and are not UUIDs. */
function withoutSecrets(path: string): string {
  return path
    .split("/")
    .map((part) => (part.length < SECRET_LENGTH || UUID.test(part) ? part : "…"))
    .join("/");
}

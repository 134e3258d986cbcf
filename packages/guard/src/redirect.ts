import type { IncomingHttpHeaders } from "node:http";
import { admitTarget, refusal, type Terms } from "./target.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request and its target. Header names are in lower case. */
export interface Message {
  url: URL;
  method: Method;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

// An unknown header may be a key ("x-api-key"), so only these go along to another origin.
const HARMLESS: readonly string[] = [
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "icy-metadata",
  "range",
  "user-agent",
];

/** Where the answer sends its reader, if anywhere. */
export function findLocation(status: number, headers: IncomingHttpHeaders): string | undefined {
  return REDIRECTS.includes(status) ? headers.location : undefined;
}

/** The message that follows a redirect, or a refusal: the new place obeys the same policy, and encryption is never given up. */
export function followRedirect(sent: Message, status: number, location: string, given: Terms): Message {
  const terms = { ...given, isRedirect: true };
  if (!URL.canParse(location, sent.url.href)) throw refusal(terms, "url_malformed", "must be a valid URL");
  const url = admitTarget(new URL(location, sent.url), terms);
  if (sent.url.protocol === "https:" && url.protocol === "http:") {
    throw refusal(terms, "scheme_forbidden", "must not lead from https to http");
  }
  const message = becomesGet(status, sent.method) ? withoutBody(sent) : sent;
  const headers = url.origin === sent.url.origin ? message.headers : only(message.headers, HARMLESS);
  return { ...message, url, headers };
}

/** Fetch standard, HTTP-redirect fetch, step 12. */
function becomesGet(status: number, method: Method): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return method === "POST" && (status === 301 || status === 302);
}

function withoutBody(message: Message): Message {
  const names = Object.keys(message.headers).filter((name) => !name.startsWith("content-"));
  return { ...message, method: "GET", body: undefined, headers: only(message.headers, names) };
}

function only(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}

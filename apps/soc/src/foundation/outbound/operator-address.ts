import { isLoopback, reachOf, withoutBrackets } from "@kit/guard/address";
import { invalidField } from "@kit/problem";
import { createOutsideGuard } from "./outside-guard.ts";

const PRIVATE_ZONES = [".local", ".localdomain", ".home.arpa", ".internal"];

/**
 * Parses the base address of a service that the operator configured, without a trailing slash. The address may be
 * private, because only the operator can set it. Without TLS it must be private, because keys and records are sent to
 * it.
 */
export function parseOperatorAddress(variable: string, text: string): string {
  if (/^https?:\/\/localhost[:/]/i.test(`${text}/`)) {
    throw invalidField(variable, "must name 127.0.0.1 instead of localhost");
  }
  const policy = { schemes: ["http:", "https:"], allowPrivate: true } as const;
  const url = createOutsideGuard().checkText(text, { field: variable, policy });
  if (url.search !== "" || url.hash !== "") throw invalidField(variable, "must have no query and no fragment");
  if (url.protocol === "http:" && !isInside(withoutBrackets(url.hostname))) {
    throw invalidField(variable, "must start with https:// unless its host is private");
  }
  return url.href.replace(/\/+$/, "");
}

/** A private or loopback address, a name without a dot, or a name in a zone that is never public. */
function isInside(host: string): boolean {
  if (isLoopback(host) || reachOf(host) === "private") return true;
  if (reachOf(host) === "public" || host.includes(":")) return false;
  return !host.includes(".") || PRIVATE_ZONES.some((zone) => host.endsWith(zone));
}

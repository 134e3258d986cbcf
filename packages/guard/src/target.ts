import { isIP } from "node:net";
import { invalidField, type Problem } from "@kit/problem";
import { type Reach, reachOf, withoutBrackets } from "./address.ts";

export interface OutboundPolicy {
  schemes: readonly ("http:" | "https:")[];
  /** Lets RFC 1918 and unique local addresses pass. No policy lets anything else pass that is not public. */
  allowPrivate: boolean;
}

export type Classify = (address: string) => Reach;

/** The rules for every address on the way. */
export interface Terms {
  /** The caller's field name for the URL. */
  field: string;
  /** The URL is not the one that the caller gave; a server followRedirect to it. */
  isRedirect?: boolean;
  policy: OutboundPolicy;
  classify: Classify;
}

type RefusalCode =
  | "url_too_long"
  | "characters_forbidden"
  | "scheme_forbidden"
  | "credentials_forbidden"
  | "url_malformed"
  | "address_forbidden";

const MAX_LENGTH = 1024;
// A URL parser drops tabs and line breaks, trims spaces and reads a backslash as a slash; the next reader may not.
const TRICKS = /[\p{Cc}\s\\]/u;
// A URL parser also reads http:/host, http:host and http:///host.
const SHAPE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME_LENGTH = 253;

// RFC 6761, section 6.3: always this machine, even if a resolver answers otherwise.
const OWN_NAMES = ["localhost"];
// RFC 6762, RFC 8375, ICANN resolution 2024.07.29.06: never on the public internet. With allowPrivate their addresses decide.
const PRIVATE_NAMES = ["local", "localdomain", "home.arpa", "internal"];

/**
 * Reads a URL from outside and refuses what its text alone shows to be wrong. A name that passes is not yet safe:
 * the addresses behind it are checked when it is resolved.
 */
export function parseTarget(field: string, text: string, policy: OutboundPolicy, classify: Classify = reachOf): URL {
  if (text.length > MAX_LENGTH) throw refusal({ field }, "url_too_long", `must be at most ${MAX_LENGTH} characters`);
  if (TRICKS.test(text))
    throw refusal({ field }, "characters_forbidden", "must not contain spaces, control characters or backslashes");
  const authority = SHAPE.exec(text)?.[1];
  if (authority === undefined) throw refusal({ field }, "scheme_forbidden", describeStart(policy));
  if (authority.includes("@")) throw refusal({ field }, "credentials_forbidden", "must not contain credentials");
  if (!URL.canParse(text)) throw refusal({ field }, "url_malformed", "must be a valid URL");
  return admitTarget(new URL(text), { field, policy, classify });
}

/** The checks that also apply to a URL that no user typed: the target of a redirect. */
export function admitTarget(url: URL, terms: Terms): URL {
  const { policy } = terms;
  if (!policy.schemes.some((scheme) => scheme === url.protocol))
    throw refusal(terms, "scheme_forbidden", describeStart(policy));
  if (url.username !== "" || url.password !== "")
    throw refusal(terms, "credentials_forbidden", "must not contain credentials");
  const host = withoutBrackets(url.hostname);
  if (isIP(host) !== 0) admitAddress(host, terms);
  else admitName(host, terms);
  return url;
}

export function admitAddress(address: string, terms: Terms): void {
  const { policy, classify } = terms;
  const reach = classify(address);
  if (reach === "public" || (reach === "private" && policy.allowPrivate)) return;
  throw refusal(terms, "address_forbidden", describeDestination(policy));
}

/** Host names only, without a dot at the end: certificates, cookies and lists of names do not know that spelling. */
function admitName(name: string, terms: Terms): void {
  const { policy } = terms;
  if (name.length > MAX_NAME_LENGTH || !name.split(".").every((label) => LABEL.test(label))) {
    throw refusal(terms, "url_malformed", "must have a valid host name, without a dot at its end");
  }
  const refused = policy.allowPrivate ? OWN_NAMES : [...OWN_NAMES, ...PRIVATE_NAMES];
  if (refused.some((zone) => name === zone || name.endsWith(`.${zone}`)))
    throw refusal(terms, "address_forbidden", describeDestination(policy));
}

function describeStart(policy: OutboundPolicy): string {
  return `must start with ${policy.schemes.map((scheme) => `${scheme}//`).join(" or ")} and a host`;
}

function describeDestination(policy: OutboundPolicy): string {
  return policy.allowPrivate
    ? "must lead to a public or private address, not to this device or a reserved one"
    : "must lead to a public address";
}

export function refusal(
  { field, isRedirect }: Pick<Terms, "field" | "isRedirect">,
  code: RefusalCode,
  rule: string,
): Problem {
  return invalidField(field, isRedirect ? `redirect: ${rule}` : rule, { code });
}

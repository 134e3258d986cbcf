import type { IncomingHttpHeaders } from "node:http";
import { networkInterfaces } from "node:os";
import type { Readable } from "node:stream";
import { type Clock, createClock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import { normalizeAddress, reachOf } from "./address.ts";
import { exchange } from "./exchange.ts";
import { findLocation, followRedirect, type Message, type Method } from "./redirect.ts";
import { resolveAdmittedAddresses } from "./resolve.ts";
import { createResolver, type Resolve } from "./resolver.ts";
import { type Classify, type OutboundPolicy, parseTarget, type Terms } from "./target.ts";

export interface OutboundGuardDeps {
  /** Default: a new resolver. Share one to share its limit of concurrent lookups. */
  resolve?: Resolve;
  /** The addresses of this machine; default: its network interfaces. No policy allows them as targets. */
  ownAddresses?: () => readonly string[];
  clock?: Pick<Clock, "deadline">;
  /** Default: the strict one of this package. */
  classify?: Classify;
  /** Certificates (PEM) to trust instead of the well-known authorities. */
  ca?: readonly string[];
}

export interface OutboundCheck {
  /** The caller's field name for the URL; every error message starts with it. */
  field: string;
  policy: OutboundPolicy;
  /** For finding the name, connecting and agreeing on encryption, together. */
  connectTimeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface OutboundRequest extends OutboundCheck {
  method?: Method;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** 3 unless said otherwise. */
  maxRedirects?: number;
  /** For the headers of the answer, and then for each silence of the server. A reader that pauses is not timed. */
  idleTimeoutMs: number;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The caller must read it to its end or destroy it; until then the connection stays open. */
  body: Readable;
  /** Where the answer came from, after all redirects. */
  url: URL;
}

export interface OutboundGuard {
  /** Judges the text of a URL alone: its host is not looked up. */
  checkText(url: string, options: Pick<OutboundCheck, "field" | "policy">): URL;
  /** Judges a URL and every address behind it without connecting. An "unavailable" Problem: the name does not resolve now. */
  check(url: string, options: OutboundCheck): Promise<URL>;
  /** Sends one request and follows its redirects, each place judged like the first. An abort throws the signal's reason. */
  open(url: string, options: OutboundRequest): Promise<OutboundAnswer>;
}

const MAX_REDIRECTS = 3;

/** The only way out. A refused target is an "invalid" Problem, a server that fails us an "unavailable" one. */
export function createOutboundGuard(deps: OutboundGuardDeps = {}): OutboundGuard {
  const { resolve = createResolver(), ownAddresses = interfaceAddresses, clock = createClock() } = deps;

  function toTerms({ field, policy }: Pick<OutboundCheck, "field" | "policy">): Terms {
    const own = new Set(ownAddresses().map(normalizeAddress));
    const classify = deps.classify ?? reachOf;
    return {
      field,
      policy,
      classify: (address) => (own.has(normalizeAddress(address)) ? "forbidden" : classify(address)),
    };
  }

  async function send(
    message: Message,
    redirects: number,
    terms: Terms,
    options: OutboundRequest,
  ): Promise<OutboundAnswer> {
    const { field, connectTimeoutMs, idleTimeoutMs, signal, maxRedirects = MAX_REDIRECTS } = options;
    const deadline = clock.deadline(connectTimeoutMs);
    const addresses = await resolveAdmittedAddresses(message.url, resolve, { ...terms, deadline, signal });
    const answer = await exchange({ field, message, addresses, deadline, idleTimeoutMs, signal, clock, ca: deps.ca });
    const location = findLocation(answer.status, answer.headers);
    if (location === undefined) return { ...answer, url: message.url };
    answer.body.destroy();
    if (redirects === maxRedirects) {
      throw invalidField(field, `must not redirect more than ${maxRedirects} times`);
    }
    return send(followRedirect(message, answer.status, location, terms), redirects + 1, terms, options);
  }

  function parseText(text: string, { field, policy, classify }: Terms): URL {
    return parseTarget(field, text, policy, classify);
  }

  return {
    checkText: (text, options) => parseText(text, toTerms(options)),

    async check(text, options) {
      options.signal?.throwIfAborted();
      const terms = toTerms(options);
      const url = parseText(text, terms);
      const deadline = clock.deadline(options.connectTimeoutMs);
      await resolveAdmittedAddresses(url, resolve, { ...terms, deadline, signal: options.signal });
      return url;
    },

    async open(text, options) {
      const { method = "GET", headers = {}, body, signal } = options;
      signal?.throwIfAborted();
      const terms = toTerms(options);
      const url = parseText(text, terms);
      return send({ url, method, headers: inLowerCase(headers), body }, 0, terms, options);
    },
  };
}

function inLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]),
  );
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
}

import { AsyncLocalStorage } from "node:async_hooks";
import { clientNetworkOf } from "@kit/guard/address";
import type { Frame } from "@kit/http/frame";
import type { Budget } from "@kit/http/limits";
import { isBelow, pathOf } from "@kit/http/pages";
import { invalidField, Problem, rateLimited } from "@kit/problem";
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import Value from "typebox/value";
import { answersJson } from "../../foundation/batch/batch.ts";
import { type Caller, callerOf, formatRefusal, isCallerAllowed } from "../../foundation/caller/caller.ts";
import type { Needs } from "../../foundation/caller/permissions.ts";
import type { Database } from "../../foundation/database/tables.ts";
import type { RuntimeTruthBody } from "../../foundation/runtime/runtime.schema.ts";
import { sessionIdIn } from "../sessions/session.ts";
import type { CountersBySource } from "./counters.ts";
import { hasSimpleBody, isChangeFromAnotherSite } from "./cross-site.ts";
import { needsFactor } from "./fresh-factor.ts";
import { type KeyScheme, keyIn } from "./key-schemes.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    needs?: Needs;
    /** Also accepts an API key; other routes refuse a valid key with 403. */
    byKey?: boolean;
    /**
     * Open to callers restricted to sites: the route answers `records` of these sites, with all others hidden by
     * PostgreSQL, or it concerns only the caller's `own` account. Other routes require access to all sites.
     */
    bySite?: "records" | "own";
    /** Other formats of the Authorization header that may contain an API key. */
    keySchemes?: readonly KeyScheme[];
    /** Open to a user who still has to pass the required second factor. */
    isOpenBeforeFactor?: boolean;
    /**
     * Requires a recent second factor if the operator enables step-up, so that a stolen session is not enough; with
     * `unless`, only for bodies that do not match the schema.
     */
    stepUp?: boolean | { unless: TSchema };
    /** Does not count as use of the session, because idle pages also send it. */
    isPassive?: boolean;
    /** Not counted in the caller's general budget, because the route has its own limits. */
    isCountedApart?: boolean;
    /** Intake of logs and heartbeats: its budget is much larger than the general one. */
    isIntake?: boolean;
    /** Also counted in the smaller budget of playbook executions. */
    isPlaybookExecution?: boolean;
    /** Like `isPlaybookExecution`, if only the body shows whether the request executes a playbook. */
    isPlaybookExecutionBody?: (body: unknown) => boolean;
    /** A chat message: counted in a separate budget instead of the general one. */
    isChatMessage?: boolean;
    /** Also counted in the smaller budget of investigations. */
    isInvestigation?: boolean;
    /**
     * Answers without a database in every mode, if the caller's token was valid when the database was last reachable.
     */
    worksOffline?: boolean;
  }
}

/** The rest of a caller's limits, by the name of the budget. */
export type Limits = Record<string, { limit: number; remaining: number; reset_s: number }>;

declare module "fastify" {
  interface FastifyRequest {
    readLimits(): Promise<Limits>;
    /**
     * Runs work that injects one request into this server. The injected request has the caller of this one, is not
     * counted in the general budget, and stops with the signal. The caller is passed in memory, so that no header can
     * forge it.
     */
    carryCaller<Result>(stopped: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  }
}

export type Credentials =
  | { kind: "token"; token: string }
  | { kind: "session"; id: string }
  /** `intakeFrom` is the address of a log intake request; see `findCaller`. */
  | { kind: "api_key"; key: string; intakeFrom?: string };

export interface IdentifiedCaller {
  caller: Caller;
  /**
   * Where the caller was found: in the database, in the showcase, or ("unavailable") in the cache of users last read.
   */
  source: RuntimeTruthBody["read_data_source"];
}

/** The caller of a batch, passed to one injected request. */
interface Carried extends IdentifiedCaller {
  /** A carried caller is valid for one request only. */
  isTaken: boolean;
  stopped: AbortSignal;
}

export interface Callers {
  /**
   * Undefined if the credentials are invalid; throws 'unavailable' if they cannot be checked. A passive request does
   * not count as use of a session.
   */
  identify(credentials: Credentials, isPassive: boolean): Promise<IdentifiedCaller | undefined>;
}

export interface RequireCallerDeps {
  callers: Callers;
  limitTo: Database["limitTo"];
  counters: CountersBySource;
  general: Budget;
  intake: Budget;
  /** For playbook executions, in addition to the general budget. */
  playbooks: Budget;
  chat: Budget;
  /** For requests of investigations, in addition to the general budget. */
  investigations: Budget;
  /** Throws unless the caller has a fresh factor; undefined if step-up is off. */
  requireFresh: ((caller: Caller) => void) | undefined;
}

/**
 * Default deny: a route that declares no needs stops the start of the service; unknown paths under /api/v1 require a
 * caller.
 */
export function requireCaller(app: Frame, deps: RequireCallerDeps): void {
  const { callers, limitTo, counters, general, intake, playbooks, chat, investigations, requireFresh } = deps;
  app.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.needs) throw new Error(`${String(method)} ${url} declares no needs`);
    if (config.needs === "scim" && !isBelow(url, "/scim/v2"))
      throw new Error(`${String(method)} ${url} is not below /scim/v2, where providers are admitted`);
  });
  function listBudgets({ isIntake, isChatMessage, isCountedApart, ...counted }: FastifyContextConfig): Budget[] {
    if (isIntake) return [intake];
    if (isChatMessage) return [chat];
    return [
      ...(isCountedApart ? [] : [general]),
      ...(counted.isPlaybookExecution ? [playbooks] : []),
      ...(counted.isInvestigation ? [investigations] : []),
    ];
  }

  /** Counts the request in each budget. The headers show the budget with the smallest rest. */
  async function count(caller: Caller, source: IdentifiedCaller["source"], budgets: Budget[], reply: FastifyReply) {
    const { kind, username } = caller;
    let least = Number.POSITIVE_INFINITY;
    for (const budget of budgets) {
      // Requests of people are counted exactly; shippers send a hundred requests a second.
      const way = budget === intake && kind === "api_key" ? "countInPortions" : "count";
      const { waitMs, remaining, resetMs } = await counters[source][way](budget, username);
      if (remaining <= least) {
        least = remaining;
        reply.header("ratelimit-limit", budget.limit);
        reply.header("ratelimit-remaining", remaining);
        reply.header("ratelimit-reset", Math.ceil(resetMs / 1000));
      }
      if (waitMs > 0) throw rateLimited(`more than ${budget.limit} requests a minute; see Retry-After`, waitMs);
    }
  }

  const sources = new WeakMap<FastifyRequest, IdentifiedCaller["source"]>();
  app.decorateRequest("caller", null);
  app.decorateRequest("stopped", undefined);
  app.decorateRequest("readLimits", async function (this: FastifyRequest) {
    const { username } = callerOf(this);
    const budgets = [general, playbooks, chat, investigations];
    const left = await counters[sources.get(this) ?? "unavailable"].left(budgets, username);
    return Object.fromEntries(
      left.map(({ remaining, resetMs }, i) => {
        const { name = "", limit = 0 } = budgets[i] ?? {};
        return [name, { limit, remaining, reset_s: Math.ceil(resetMs / 1000) }];
      }),
    );
  });
  const carried = new AsyncLocalStorage<Carried>();
  app.decorateRequest("carryCaller", function (this: FastifyRequest, stopped, work) {
    const source = sources.get(this) ?? "unavailable";
    return carried.run({ caller: callerOf(this), source, isTaken: false, stopped }, work);
  });

  /** The final checks, for direct requests and for requests inside a batch. */
  async function admit(request: FastifyRequest, reply: FastifyReply, identified: IdentifiedCaller, budgets: Budget[]) {
    const { caller, source } = identified;
    const needs = needsOf(request);
    if (source === "unavailable" && !request.routeOptions.config.worksOffline)
      throw new Problem("unavailable", "the database is unavailable");
    await count(caller, source, budgets, reply);
    if (caller.lacksFactor && !request.routeOptions.config.isOpenBeforeFactor) throw needsFactor();
    requireKeyRoute(caller, request);
    if (!isCallerAllowed(caller, needs)) throw new Problem("forbidden", formatRefusal(caller, needs));
    if (caller.sites && !request.is404 && !request.routeOptions.config.bySite)
      throw new Problem("forbidden", "requires access to all sites");
    if (request.routeOptions.config.stepUp === true) requireFresh?.(caller);
    request.caller = caller;
    sources.set(request, source);
  }

  async function admitCarried(
    request: FastifyRequest,
    reply: FastifyReply,
    identified: IdentifiedCaller,
  ): Promise<void> {
    const { is404, routeOptions } = request;
    if (!is404 && !answersJson(routeOptions.schema)) throw invalidField("path", "cannot be part of a batch");
    const budgets = listBudgets(routeOptions.config).filter((budget) => budget !== general);
    await admit(request, reply, identified, budgets);
  }

  app.addHook("onRequest", async (request, reply) => {
    const needs = needsOf(request);
    // SCIM routes admit providers by their own tokens, and no caller of the platform.
    if (needs === "public" || needs === "scim") return;
    const inBatch = carried.getStore();
    if (inBatch && !inBatch.isTaken) {
      inBatch.isTaken = true;
      request.stopped = inBatch.stopped;
      return admitCarried(request, reply, inBatch);
    }
    const credentials = readCredentials(request);
    const identified =
      credentials && (await callers.identify(credentials, request.routeOptions.config.isPassive ?? false));
    if (!identified) throw new Problem("unauthenticated", "Authorization: a valid bearer token is needed");
    if (credentials.kind === "session") refuseForeign(request);
    await admit(request, reply, identified, listBudgets(request.routeOptions.config));
  });
  app.addHook("preHandler", async ({ caller, body, routeOptions }) => {
    const { stepUp } = routeOptions.config;
    if (caller && typeof stepUp === "object" && !Value.Check(stepUp.unless, body)) requireFresh?.(caller);
  });
  app.addHook("preHandler", async (request, reply) => {
    const { caller, body, routeOptions } = request;
    const source = sources.get(request);
    if (!caller || !source || !routeOptions.config.isPlaybookExecutionBody?.(body)) return;
    await count(caller, source, [playbooks], reply);
  });
  // With a callback, so that the rest of the request runs inside.
  app.addHook("preHandler", ({ caller, routeOptions }, _reply, done) => {
    if (caller?.sites && routeOptions.config.bySite !== "own") limitTo(caller.sites, done);
    else done();
  });
}

/** CSRF: a browser sends its cookie with requests of any page; clients send all other credentials deliberately. */
function refuseForeign(request: FastifyRequest): void {
  if (isChangeFromAnotherSite(request))
    throw new Problem("forbidden", "Origin: a session cannot be used from another site");
  // A route without a schema reads its body itself, as a file or not at all.
  if (request.routeOptions.schema?.body !== undefined && hasSimpleBody(request))
    throw invalidField("Content-Type", "must be application/json with the cookie of a session");
}

function requireKeyRoute({ kind }: Caller, { is404, routeOptions }: FastifyRequest): void {
  if (kind !== "api_key" || is404 || routeOptions.config.byKey) return;
  throw new Problem("forbidden", "X-API-Key: this route does not accept an API key");
}

function needsOf(request: FastifyRequest): Needs {
  if (request.is404) return isBelow(pathOf(request), "/api/v1") ? "authenticated" : "public";
  return request.routeOptions.config.needs ?? "role:admin";
}

function readCredentials(request: FastifyRequest): Credentials | undefined {
  const { headers, raw, routeOptions } = request;
  const { authorization, cookie, "x-api-key": key } = headers;
  const from = routeOptions.config.isIntake ? { intakeFrom: clientNetworkOf(request.ip) } : {};
  if (authorization !== undefined) {
    if (isSentTwice(raw, "authorization")) return undefined;
    const held = keyIn(authorization, routeOptions.config.keySchemes ?? []);
    if (held !== undefined) return { kind: "api_key", key: held, ...from };
    const token = /^bearer ([^ ]+)$/i.exec(authorization)?.[1];
    return token === undefined ? undefined : { kind: "token", token };
  }
  const id = sessionIdIn(cookie);
  // If the route accepts no key, a session in the same request counts.
  const isKeyFirst = routeOptions.config.byKey === true || id === undefined;
  if (isKeyFirst && typeof key === "string") return { kind: "api_key", key, ...from };
  return id === undefined ? undefined : { kind: "session", id };
}

/** Node reads the first of two headers, and a proxy in front may have checked the other one. */
export function isSentTwice({ rawHeaders }: FastifyRequest["raw"], name: string): boolean {
  return rawHeaders.filter((each, i) => i % 2 === 0 && each.toLowerCase() === name).length > 1;
}

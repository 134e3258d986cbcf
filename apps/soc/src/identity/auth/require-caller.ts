import { AsyncLocalStorage } from "node:async_hooks";
import { clientNetworkOf } from "@kit/guard/address";
import type { Frame } from "@kit/http/frame";
import type { Budget } from "@kit/http/limits";
import { isBelow, pathOf } from "@kit/http/pages";
import { invalidField, Problem, rateLimited } from "@kit/problem";
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import { answersJson } from "../../foundation/batch/batch.ts";
import { type Caller, callerOf, formatRefusal, isCallerAllowed } from "../../foundation/caller/caller.ts";
import type { Needs } from "../../foundation/caller/permissions.ts";
import type { Database } from "../../foundation/database/tables.ts";
import type { RuntimeTruthBody } from "../../foundation/runtime/runtime.schema.ts";
import { sessionIdIn } from "../sessions/session.ts";
import type { CountersBySource } from "./counters.ts";
import { isChangeFromAnotherSite } from "./cross-site.ts";
import { needsFactor } from "./fresh-factor.ts";
import { type KeyScheme, keyIn } from "./key-schemes.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    needs?: Needs;
    /** Accepts an API key, too; other routes refuse a valid key with 403. */
    byKey?: boolean;
    /**
     * Open to a caller who works for some sites only: the route answers `records` of these sites, and PostgreSQL hides all
     * others from it; or it concerns nothing but the caller's `own` account. Other routes are for callers of all sites.
     */
    bySite?: "records" | "own";
    /** Other formats of the Authorization header that may contain an API key. */
    keySchemes?: readonly KeyScheme[];
    /** Open to a user who must have a second factor and has not shown one. */
    isOpenBeforeFactor?: boolean;
    /** Needs a second factor of the last minutes, where the operator wants that: a stolen session cannot do it. */
    stepUp?: boolean;
    /** Not a use of the session: a page that no person looks at requests it, too. */
    isPassive?: boolean;
    /** Not counted in the caller's general budget: the route has limits of its own. */
    isCountedApart?: boolean;
    /** Intake of logs and heartbeats: its budget is much larger than the general one. */
    isIntake?: boolean;
    /** Also counted in the smaller budget of playbook executions. */
    isPlaybookExecution?: boolean;
    /** The same, where only the body says whether the request executes a playbook. */
    isPlaybookExecutionBody?: (body: unknown) => boolean;
    /** A chat message: counted in a budget of its own instead of the general one. */
    isChatMessage?: boolean;
    /** Also counted in the smaller budget of investigations. */
    isInvestigation?: boolean;
    /**
     * Answers without a database in every mode, if the caller's token was valid when the database was last reachable.
     */
    worksOffline?: boolean;
  }
}

/** What is left to a caller, by the name of the budget. */
export type Limits = Record<string, { limit: number; remaining: number; reset_s: number }>;

declare module "fastify" {
  interface FastifyRequest {
    readLimits(): Promise<Limits>;
    /**
     * Runs work that injects one request into this server. That request has the caller of this one, is not counted in the
     * general budget, and stops with the signal. The caller is carried in memory, so that no header can forge it.
     */
    carryCaller<Result>(stopped: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  }
}

export type Credentials =
  | { kind: "token"; token: string }
  | { kind: "session"; id: string }
  /** `intakeFrom` is the address of a request that brings logs; see `findCaller`. */
  | { kind: "api_key"; key: string; intakeFrom?: string };

export interface Identified {
  caller: Caller;
  /**
   * Where the caller was found: in the database, in the showcase, or ("unavailable") in the cache of users last read.
   */
  source: RuntimeTruthBody["read_data_source"];
}

/** The caller of a batch on the way to one request inside it. */
interface Carried extends Identified {
  /** Only one request is that request. */
  isTaken: boolean;
  stopped: AbortSignal;
}

export interface Callers {
  /**
   * Undefined when the credentials are invalid; throws 'unavailable' when they cannot be checked. A passive request does
   * not count as use of a session.
   */
  identify(credentials: Credentials, isPassive: boolean): Promise<Identified | undefined>;
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
  /** Throws unless the caller has a fresh factor; undefined when no route needs one. */
  requireFresh: ((caller: Caller) => void) | undefined;
}

/**
 * Default deny: a route that declares no needs stops the start of the service; unknown paths below /api/v1 need a
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

  /** Counts the request in each budget. The headers show the budget of which the least is left. */
  async function count(caller: Caller, source: Identified["source"], budgets: Budget[], reply: FastifyReply) {
    const { kind, username } = caller;
    let least = Number.POSITIVE_INFINITY;
    for (const budget of budgets) {
      // What people do is counted exactly; shippers make a hundred requests a second.
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

  const sources = new WeakMap<FastifyRequest, Identified["source"]>();
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

  /** The last checks, which are the same for a request and for one inside a batch. */
  async function admit(request: FastifyRequest, reply: FastifyReply, identified: Identified, budgets: Budget[]) {
    const { caller, source } = identified;
    const needs = needsOf(request);
    if (source === "unavailable" && !request.routeOptions.config.worksOffline)
      throw new Problem("unavailable", "the database is unavailable");
    await count(caller, source, budgets, reply);
    if (caller.lacksFactor && !request.routeOptions.config.isOpenBeforeFactor) throw needsFactor();
    requireKeyRoute(caller, request);
    if (!isCallerAllowed(caller, needs)) throw new Problem("forbidden", formatRefusal(caller, needs));
    if (caller.sites && !request.is404 && !request.routeOptions.config.bySite)
      throw new Problem("forbidden", "this is only for callers who work for all sites");
    if (request.routeOptions.config.stepUp) requireFresh?.(caller);
    request.caller = caller;
    sources.set(request, source);
  }

  async function admitCarried(request: FastifyRequest, reply: FastifyReply, identified: Identified): Promise<void> {
    const { is404, routeOptions } = request;
    if (!is404 && !answersJson(routeOptions.schema)) throw invalidField("path", "has no place in a batch");
    const budgets = listBudgets(routeOptions.config).filter((budget) => budget !== general);
    await admit(request, reply, identified, budgets);
  }

  app.addHook("onRequest", async (request, reply) => {
    const needs = needsOf(request);
    // The routes of SCIM admit providers, by tokens of their own, and no caller of the platform.
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
    // CSRF: a browser sends its cookie with requests of any page; clients send every other credential on purpose.
    if (credentials.kind === "session" && isChangeFromAnotherSite(request))
      throw new Problem("forbidden", "Origin: a session is not used from another site");
    await admit(request, reply, identified, listBudgets(request.routeOptions.config));
  });
  app.addHook("preHandler", async (request, reply) => {
    const { caller, body, routeOptions } = request;
    const source = sources.get(request);
    if (!caller || !source || !routeOptions.config.isPlaybookExecutionBody?.(body)) return;
    await count(caller, source, [playbooks], reply);
  });
  // With a callback: what comes after it runs inside.
  app.addHook("preHandler", ({ caller, routeOptions }, _reply, done) => {
    if (caller?.sites && routeOptions.config.bySite !== "own") limitTo(caller.sites, done);
    else done();
  });
}

function requireKeyRoute({ kind }: Caller, { is404, routeOptions }: FastifyRequest): void {
  if (kind !== "api_key" || is404 || routeOptions.config.byKey) return;
  throw new Problem("forbidden", "X-API-Key: this route takes no API key");
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
  // Where no key is taken, a session beside it counts.
  const isKeyFirst = routeOptions.config.byKey === true || id === undefined;
  if (isKeyFirst && typeof key === "string") return { kind: "api_key", key, ...from };
  return id === undefined ? undefined : { kind: "session", id };
}

/** Node reads the first of two headers, and a proxy in front may have checked the other one. */
export function isSentTwice({ rawHeaders }: FastifyRequest["raw"], name: string): boolean {
  return rawHeaders.filter((each, i) => i % 2 === 0 && each.toLowerCase() === name).length > 1;
}

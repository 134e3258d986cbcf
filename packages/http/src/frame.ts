import type { Socket } from "node:net";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { rateLimited } from "@kit/problem";
import fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyRequest,
  type FastifySchema,
  type onResponseHookHandler,
} from "fastify";
import { readJsonBodies } from "./body.ts";
import type { Budget, FixedWindows } from "./limits.ts";
import { type PagesOptions, servePages } from "./pages.ts";
import { answerProblems, answerUnreadablePath, answerUnreadableRequest, type ErrorBody } from "./problems.ts";
import { secureAnswer } from "./secure-answer.ts";
import { serializeBySchema } from "./serialization.ts";
import { createServer, type Tls } from "./server.ts";
import { refuseUnstorableParameters } from "./storable-parameters.ts";
import { closeAfterRefusedUpgrade } from "./upgrades.ts";
import { validateStrictly } from "./validation.ts";

export type Frame = ReturnType<typeof createFrame>;

export interface FrameOptions {
  errorBody: ErrorBody;
  ids: Pick<Ids, "next">;
  bodyBytes: number;
  bodyDepth: number;
  pages: PagesOptions;
  tls?: Tls | undefined;
  /** Browsers then use https only. Leave it out for a server whose certificate a person may have to accept. */
  isHttps?: boolean | undefined;
  /** Addresses and networks of proxies; only from them X-Forwarded-For counts as the address of the client. */
  trustedProxies?: readonly string[] | undefined;
  /** Further connections are refused; the default is for a server with much memory. */
  maxConnections?: number;
  log?: Log;
  limits?: {
    windows: FixedWindows;
    budgetOf: (request: FastifyRequest) => Budget | undefined;
    /** The key under which a client is counted, by its address. */
    findClient: (address: string) => string;
  };
}

/** A route as it was really registered: what a contract test holds against the API document. */
export interface RegisteredRoute {
  method: string;
  path: string;
  config: FastifyContextConfig;
  schema?: FastifySchema | undefined;
}

declare module "fastify" {
  interface FastifyInstance {
    registeredRoutes: RegisteredRoute[];
  }
}

/** The server code that both products share. Routes, permissions and texts belong to the product. */
export function createFrame(options: FrameOptions) {
  const { errorBody, ids, isHttps = false, bodyBytes, bodyDepth, pages, log, limits, trustedProxies = [] } = options;
  const app = fastify({
    serverFactory: (handler) => createServer(options, handler),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: () => ids.next(),
    logger: false,
    routerOptions: { maxParamLength: 2048 },
    frameworkErrors: answerUnreadablePath(errorBody, isHttps),
    clientErrorHandler: answerUnreadableRequest(errorBody),
  }).withTypeProvider<TypeBoxTypeProvider>();

  const registeredRoutes: RegisteredRoute[] = [];
  app.decorate("registeredRoutes", registeredRoutes);
  app.addHook("onRoute", ({ method, url, config = {}, schema }) => {
    for (const each of [method].flat()) registeredRoutes.push({ method: each, path: url, config, schema });
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    reply.header("cache-control", "no-store");
    secureAnswer(reply, isHttps);
    closeAfterRefusedUpgrade(request, reply);
    const waitMs = limits ? overBudgetMs(limits, request, trustedProxies.length > 0) : 0;
    if (waitMs === 0) return done();
    done(rateLimited("too many requests; see Retry-After", waitMs));
  });
  if (log) logMutations(app, log);
  answerProblems(app, errorBody, log);
  refuseUnstorableParameters(app);
  validateStrictly(app);
  serializeBySchema(app);
  readJsonBodies(app, bodyDepth);
  servePages(app, pages);
  return app;
}

/**
 * Each request is logged at most once: a refusal where it is answered (answerProblems), a mutation when it is done.
 * A read that succeeds is not: dashboards ask all day long.
 */
function logMutations(app: FastifyInstance, log: Log): void {
  const logMutation: onResponseHookHandler = ({ id, method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const fields = { request_id: id, method, route: routeOptions.url, status: statusCode, ms: Math.round(elapsedTime) };
    if (statusCode < 400) log.info(fields, "request");
    done();
  };
  app.addHook("onRoute", (route) => {
    if (route.method !== "GET") route.onResponse = [route.onResponse ?? [], logMutation].flat();
  });
}

// Reading an address costs more than counting a request, and a connection keeps its address.
const clients = new WeakMap<Socket, string>();

function clientOf(socket: Socket, findClient: (address: string) => string): string {
  const known = clients.get(socket);
  if (known !== undefined) return known;
  const client = findClient(socket.remoteAddress ?? "");
  clients.set(socket, client);
  return client;
}

function overBudgetMs(
  { windows, budgetOf, findClient }: NonNullable<FrameOptions["limits"]>,
  request: FastifyRequest,
  isBehindProxy: boolean,
): number {
  const budget = budgetOf(request);
  if (!budget) return 0;
  // A proxy sends the requests of many clients over one connection.
  const client = isBehindProxy ? findClient(request.ip) : clientOf(request.socket, findClient);
  return windows.take(budget, client);
}

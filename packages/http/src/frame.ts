import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { Ids } from "@kit/clock/ids";
import { clientNetworkOf } from "@kit/guard/address";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import fastify, { type FastifyContextConfig, type FastifyRequest } from "fastify";
import { readJsonBodies } from "./body.ts";
import type { Budget, FixedWindows } from "./limits.ts";
import { type PagesOptions, servePages } from "./pages.ts";
import { answerProblems, answerUnreadablePath, answerUnreadableRequest, type ErrorBody } from "./problems.ts";
import { createServer, type Tls } from "./server.ts";
import { validateStrictly } from "./validation.ts";

export type Frame = ReturnType<typeof createFrame>;

export interface FrameOptions {
  errorBody: ErrorBody;
  ids: Pick<Ids, "next">;
  bodyBytes: number;
  bodyDepth: number;
  pages: PagesOptions;
  tls?: Tls | undefined;
  log?: Log;
  limits?: { windows: FixedWindows; budgetOf: (request: FastifyRequest) => Budget | undefined };
}

/** A route as it was really registered: what a contract test holds against the API document. */
export interface RegisteredRoute {
  method: string;
  path: string;
  config: FastifyContextConfig;
}

declare module "fastify" {
  interface FastifyInstance {
    registeredRoutes: RegisteredRoute[];
  }
}

/** What every server of the house has in common. Routes, permissions and words belong to the product. */
export function createFrame({ errorBody, ids, bodyBytes, bodyDepth, pages, tls, log, limits }: FrameOptions) {
  const app = fastify({
    serverFactory: (handler) => createServer(tls, handler),
    bodyLimit: bodyBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: () => ids.next(),
    logger: false,
    routerOptions: { maxParamLength: 2048 },
    frameworkErrors: answerUnreadablePath(errorBody),
    clientErrorHandler: answerUnreadableRequest(errorBody),
  }).withTypeProvider<TypeBoxTypeProvider>();

  const registeredRoutes: RegisteredRoute[] = [];
  app.decorate("registeredRoutes", registeredRoutes);
  app.addHook("onRoute", ({ method, url, config = {} }) => {
    for (const each of [method].flat()) registeredRoutes.push({ method: each, path: url, config });
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.setHeader("x-request-id", request.id);
    reply.raw.setHeader("x-content-type-options", "nosniff");
    reply.raw.setHeader("cache-control", "no-store");
    const waitMs = limits ? overBudgetMs(limits, request) : 0;
    if (waitMs === 0) return done();
    reply.header("retry-after", Math.ceil(waitMs / 1000));
    done(new Problem("rate_limited", "too many requests; see Retry-After"));
  });
  if (log) {
    app.addHook("onResponse", (request, reply, done) => {
      const { method, id, routeOptions } = request;
      const level = method === "GET" && reply.statusCode < 400 ? "debug" : "info";
      const fields = {
        request_id: id,
        method,
        route: routeOptions.url,
        status: reply.statusCode,
        ms: reply.elapsedTime,
      };
      log[level](fields, "request");
      done();
    });
  }
  answerProblems(app, errorBody, log);
  validateStrictly(app);
  readJsonBodies(app, bodyDepth);
  servePages(app, pages);
  return app;
}

function overBudgetMs({ windows, budgetOf }: NonNullable<FrameOptions["limits"]>, request: FastifyRequest): number {
  const budget = budgetOf(request);
  return budget ? windows.take(budget, clientNetworkOf(request.socket.remoteAddress ?? "")) : 0;
}

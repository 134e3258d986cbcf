import type { Frame } from "@kit/http/frame";
import { rateLimited } from "@kit/problem";
import type { LogLane } from "../../ports/log-store.ts";
import { abortOnDisconnect } from "./abort-on-disconnect.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The lane in which the route reads the log store: a caller may run few such requests at a time per lane. A
     * function if only the body shows whether the request reads logs.
     */
    logLane?: CallerLane | ((body: unknown) => CallerLane | undefined);
  }
}

type CallerLane = Extract<LogLane, "people" | "previews">;

const MAX_RUNNING = 2;
const MAX_WAITING = 10;
const RETRY_AFTER_MS = 1000;

interface WaitQueue {
  running: number;
  waiting: Set<() => void>;
}

/**
 * A caller may run two log requests at a time, so that many long searches of one person or key cannot occupy every
 * connection to the log engine. Further requests of the same caller wait in order of arrival.
 */
export function limitCallerConcurrency(app: Frame): void {
  const lines = new Map<string, WaitQueue>();

  async function waitIn({ waiting }: WaitQueue, signal: AbortSignal): Promise<void> {
    if (waiting.size >= MAX_WAITING) {
      throw rateLimited(`more than ${MAX_RUNNING + MAX_WAITING} concurrent log requests`, RETRY_AFTER_MS);
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      waiting.add(begin);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Passes the turn to the next request, or releases it. */
  function end(name: string, line: WaitQueue): void {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) lines.delete(name);
  }

  app.addHook("preHandler", async ({ caller, body, routeOptions }, reply) => {
    const { logLane: declared } = routeOptions.config;
    const logLane = typeof declared === "function" ? declared(body) : declared;
    if (!logLane || !caller) return;
    const name = JSON.stringify([logLane, caller.kind, caller.username]);
    const line = lines.get(name) ?? { running: 0, waiting: new Set() };
    lines.set(name, line);
    const signal = abortOnDisconnect(reply);
    if (line.running < MAX_RUNNING) line.running += 1;
    else await waitIn(line, signal);
    // Also runs after a complete response.
    signal.addEventListener("abort", () => end(name, line), { once: true });
    if (!signal.aborted) return;
    end(name, line);
    throw signal.reason;
  });
}

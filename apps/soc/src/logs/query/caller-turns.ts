import type { Frame } from "@kit/http/frame";
import { rateLimited } from "@kit/problem";
import type { LogLane } from "../../ports/log-store.ts";
import { abortOnDisconnect } from "./abandonment.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The lane in which the route reads the log store: one caller has few such requests at a time in each. A function
     * where only the body says whether the request reads logs.
     */
    logLane?: CallerLane | ((body: unknown) => CallerLane | undefined);
  }
}

type CallerLane = Extract<LogLane, "people" | "previews">;

const MAX_RUNNING = 2;
const MAX_WAITING = 10;
const RETRY_AFTER_MS = 1000;

interface Line {
  running: number;
  waiting: Set<() => void>;
}

/**
 * One caller reads logs with two requests at a time, so that many long searches of one person or key cannot occupy every
 * connection to the log engine. Further requests of the same caller wait in order of arrival.
 */
export function takeTurns(app: Frame): void {
  const lines = new Map<string, Line>();

  async function waitIn({ waiting }: Line, signal: AbortSignal): Promise<void> {
    if (waiting.size >= MAX_WAITING) {
      throw rateLimited(`more than ${MAX_RUNNING + MAX_WAITING} log requests at the same time`, RETRY_AFTER_MS);
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

  /** Hands the turn to the next request, or gives it up. */
  function end(name: string, line: Line): void {
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
    // Also after an answer that was sent whole.
    signal.addEventListener("abort", () => end(name, line), { once: true });
    if (!signal.aborted) return;
    end(name, line);
    throw signal.reason;
  });
}

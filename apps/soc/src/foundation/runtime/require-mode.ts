import type { Frame } from "@kit/http/frame";
import { findRefusal } from "./effects.ts";
import type { Effect } from "./mode-table.ts";
import type { RuntimeTruthBody } from "./runtime.schema.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    effect?: Effect;
  }
}

/** Checks the mode after the permission and before the body. Every route other than GET must declare its effect. */
export function requireMode(app: Frame, truth: () => Promise<RuntimeTruthBody>, requireClock?: () => void): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    if (method !== "GET" && !config?.effect) throw new Error(`${String(method)} ${url} declares no effect`);
  });
  app.addHook("onRequest", async ({ caller, routeOptions }) => {
    const { effect = "none" } = routeOptions.config;
    // Reads select their source themselves with `runtime.choose`.
    if (effect === "none") return;
    const refusal = findRefusal(effect, caller?.kind === "api_key", await truth());
    if (refusal) throw refusal;
    requireClock?.();
  });
}

import type { Base, Registrations } from "./base.ts";
import { runtimeRoutes } from "./runtime/runtime.routes.ts";

export function createRuntime({ runtime }: Base) {
  return { services: {}, registrations: { routes: [runtimeRoutes(runtime)] } satisfies Registrations };
}

import type { Base } from "./base.ts";
import type { Registrations } from "./registrations.ts";
import { runtimeRoutes } from "./runtime/runtime.routes.ts";

export function createRuntime({ runtime }: Base) {
  return { services: {}, registrations: { routes: [runtimeRoutes(runtime)] } satisfies Registrations };
}

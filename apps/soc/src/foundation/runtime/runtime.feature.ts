import type { Base } from "../base.ts";
import { runtimeRoutes } from "./runtime.routes.ts";

export function createRuntime({ runtime }: Base) {
  return { routes: [runtimeRoutes(runtime)] };
}

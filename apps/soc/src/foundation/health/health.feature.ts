import type { Clock } from "@kit/clock";
import { healthRoutes } from "./health.routes.ts";

export function createHealth(clock: Pick<Clock, "monotonicMs">, version: string) {
  return { rootRoutes: [healthRoutes(version, clock)] };
}

import type { Base } from "../base.ts";
import { PROCESS_ROLES } from "../process-role.ts";
import { healthRoutes, systemHealthRoutes } from "./health.routes.ts";
import { createHealthService, type HealthServiceDeps } from "./health.service.ts";
import { listHealthMeasures } from "./health-measures.ts";

export interface HealthNeeds extends Omit<HealthServiceDeps, "runtime" | "clock"> {
  version: string;
}

export function createHealth({ runtime, clock }: Pick<Base, "runtime" | "clock">, { version, ...parts }: HealthNeeds) {
  const health = createHealthService({ ...parts, runtime, clock });
  return {
    /** For programs that monitor this process, whatever its role. */
    probes: { roles: PROCESS_ROLES, rootRoutes: [healthRoutes({ health, version, clock })] },
    system: { routes: [systemHealthRoutes(health)] },
    measures: listHealthMeasures(health),
  };
}

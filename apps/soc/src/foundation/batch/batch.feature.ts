import type { Registrations } from "../base.ts";
import { batchRoutes } from "./batch.routes.ts";
import { createBatchService } from "./batch.service.ts";

/** Registers `POST /batch`, which answers several reads in one request. */
export function createBatch() {
  return { services: {}, registrations: { routes: [batchRoutes(createBatchService())] } satisfies Registrations };
}

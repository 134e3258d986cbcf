import type { Registrations } from "../registrations.ts";
import { batchRoutes } from "./batch.routes.ts";
import { createBatchService } from "./batch.service.ts";

/** `POST /batch`: several reads in one request. */
export function createBatch() {
  return { services: {}, registrations: { routes: [batchRoutes(createBatchService())] } satisfies Registrations };
}

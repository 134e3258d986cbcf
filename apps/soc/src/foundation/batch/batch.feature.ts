import { batchRoutes } from "./batch.routes.ts";
import { createBatchService } from "./batch.service.ts";

/** `POST /batch`: several reads in one request. */
export function createBatch() {
  return { routes: [batchRoutes(createBatchService())] };
}

import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { type ApiClient, isRecord } from "../../../app/api/api-client.ts";
import { MODE_WORDS } from "./words.ts";

export type RuntimeClient = ReturnType<typeof createRuntimeClient>;

export function createRuntimeClient(api: ApiClient) {
  return {
    readTruth: () => api.get("/system/mode", isRuntimeTruth),
  };
}

function isRuntimeTruth(body: unknown): body is RuntimeTruthBody {
  return isRecord(body) && typeof body.mode === "string" && Object.hasOwn(MODE_WORDS, body.mode);
}

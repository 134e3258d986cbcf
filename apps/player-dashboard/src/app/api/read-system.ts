import type { SystemBody } from "@player/service/contract/system";
import { type ApiClient, isRecord } from "./api-client.ts";

export function readSystem(api: Pick<ApiClient, "get">): Promise<SystemBody> {
  return api.get("/system", isSystemBody);
}

/** Not every 200 comes from the player: a hotspot's sign-in page or another device may answer at its address. */
function isSystemBody(body: unknown): body is SystemBody {
  return (
    isRecord(body) &&
    typeof body.version === "string" &&
    typeof body.uptime === "number" &&
    typeof body.free_heap === "number" &&
    isRecord(body.nvs) &&
    Array.isArray(body.boot_failures) &&
    Array.isArray(body.warnings)
  );
}

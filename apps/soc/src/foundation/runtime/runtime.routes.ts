import { operation, type Routes } from "./operation.ts";
import { RuntimeTruthBody } from "./runtime.schema.ts";
import type { RuntimeService } from "./runtime.service.ts";

export function runtimeRoutes(runtime: RuntimeService): Routes {
  return async (app) => {
    app.get(
      "/system/mode",
      operation(
        "getSystemMode",
        "Get the runtime mode",
        { needs: "authenticated", bySite: "own", worksOffline: true },
        { response: { 200: RuntimeTruthBody } },
      ),
      async () => runtime.truth(),
    );
  };
}

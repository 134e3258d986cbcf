import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { BatteryService } from "./battery.service.ts";
import { BatteryBody, SleepResult } from "./power.schema.ts";
import type { PowerService } from "./power.service.ts";

export interface PowerRoutesDeps {
  battery: Pick<BatteryService, "read">;
  power: Pick<PowerService, "sleep">;
}

export function powerRoutes({ battery, power }: PowerRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/battery",
      {
        config: { access: "none", budget: "status" },
        schema: { operationId: "getBattery", summary: "Get the battery state", response: { 200: BatteryBody } },
      },
      async () => battery.read(),
    );
    app.post(
      "/system/sleep",
      {
        config: { access: "token", budget: "sleep" },
        schema: { operationId: "enterSleep", summary: "Put the device to deep sleep", response: { 200: SleepResult } },
      },
      async () => ({ success: true, ...power.sleep() }),
    );
  };
}

import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { FirmwareBody } from "../registry/devices.schema.ts";
import { FirmwarePath, StoreFirmwareRequest } from "./attestation.schema.ts";
import type { FirmwareCatalogService } from "./firmware-catalog.service.ts";

export function firmwareCatalogRoutes(
  catalog: FirmwareCatalogService,
  changes: ChangesService,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.put(
      "/firmware/:hash",
      {
        config: { needs: ["cps:manage"], effect: "change", byKey: true },
        schema: {
          operationId: "setFirmware",
          summary: "Add or replace a firmware entry",
          params: FirmwarePath,
          body: StoreFirmwareRequest,
          response: { 200: Type.Union([PreviewOf(FirmwareBody), FirmwareBody]) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        return answer(
          reply,
          200,
          await changes.run(request, (tx, caller) => catalog.store(tx, caller, params.hash, body)),
        );
      },
    );
  };
}

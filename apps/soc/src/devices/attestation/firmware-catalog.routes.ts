import Type from "typebox";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { FirmwareBody } from "../registry/devices.schema.ts";
import { FirmwarePath, StoreFirmwareRequest } from "./attestation.schema.ts";
import type { FirmwareCatalogService } from "./firmware-catalog.service.ts";

/** Devices with known good firmware are attested as trusted. */
const NOT_TRUSTED = Type.Object({ known_good: Type.Literal(false) });

export function firmwareCatalogRoutes(catalog: FirmwareCatalogService, changes: ChangesService): Routes {
  return async (app) => {
    app.put(
      "/firmware/:hash",
      operation(
        "setFirmware",
        "Add or replace a firmware entry",
        { needs: ["cps:manage"], effect: "change", byKey: true, stepUp: { unless: NOT_TRUSTED } },
        {
          params: FirmwarePath,
          body: StoreFirmwareRequest,
          response: { 200: Type.Union([PreviewOf(FirmwareBody), FirmwareBody]) },
        },
      ),
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

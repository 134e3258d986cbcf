import Type from "typebox";
import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import {
  AttestationsPage,
  DeviceBody,
  DevicePath,
  DevicesPage,
  FirmwarePage,
  ListAttestationsQuery,
  ListDevicesQuery,
  ListFirmwareQuery,
  RevocationPendingBody,
  RevocationQuery,
} from "./devices.schema.ts";
import type { DevicesService } from "./devices.service.ts";
import type { RevocationCommandsService } from "./revocation-commands.service.ts";

const reading = { needs: ["cps:read"], byKey: true, bySite: "records" } as const;
const Revoked = Type.Union([RevocationPendingBody, DeviceBody], { title: "Revocation" });

export function devicesRoutes(devices: DevicesService, commands: RevocationCommandsService): Routes {
  return async (app) => {
    app.get(
      "/cps/devices",
      operation("listDevices", "List devices", reading, {
        querystring: ListDevicesQuery,
        response: { 200: DevicesPage },
      }),
      async (request) => devices.list(toScope(callerOf(request)), request.query),
    );

    app.get(
      "/cps/devices/:id",
      operation("getDevice", "Get a device", reading, { params: DevicePath, response: { 200: DeviceBody } }),
      async (request) => devices.get(toScope(callerOf(request)), request.params.id),
    );

    app.get(
      "/cps/attestations",
      operation("listAttestations", "List attestations", reading, {
        querystring: ListAttestationsQuery,
        response: { 200: AttestationsPage },
      }),
      async (request) => devices.listAttestations(toScope(callerOf(request)), request.query),
    );

    app.post(
      "/cps/devices/:id/revoke",
      operation(
        "revokeDevice",
        "Revoke the certificate of a device",
        { needs: ["cps:manage"], effect: "change", byKey: true, bySite: "records", stepUp: true },
        {
          description: "Answers `pending_approval` with `SOC_FOUR_EYES`.",
          params: DevicePath,
          querystring: RevocationQuery,
          response: { 200: Type.Union([PreviewOf(Revoked), Revoked]) },
        },
      ),
      async (request, reply) => {
        const { params, query } = request;
        return answer(reply, 200, await commands.run(callerOf(request), params.id, query.approval_id));
      },
    );

    app.get(
      "/firmware",
      operation(
        "listFirmware",
        "List the firmware catalog",
        { needs: ["cps:read"], byKey: true },
        { querystring: ListFirmwareQuery, response: { 200: FirmwarePage } },
      ),
      async ({ query }) => devices.listFirmware(query),
    );
  };
}

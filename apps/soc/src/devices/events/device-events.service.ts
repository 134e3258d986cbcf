import type { Kysely } from "kysely";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { IntakeService, ReadEvent } from "../../logs/module.ts";
import { refuseCertificate } from "../certificates/client-certificate.ts";
import type { DeviceIdentity } from "../certificates/device-identity.ts";
import type { DeviceRow } from "../registry/device.ts";
import { createDevicesStore } from "../registry/devices.store.ts";
import type { DeviceEvent, DeviceEventsBody } from "./device-events.schema.ts";

export interface DeviceEventsDeps {
  db: Kysely<Tables>;
  identity: Pick<DeviceIdentity, "require">;
  intake: Pick<IntakeService, "accept">;
}
export type DeviceEventsService = ReturnType<typeof createDeviceEventsService>;

/** Receives security events of devices and stores them as logs. */
export function createDeviceEventsService({ db, identity, intake }: DeviceEventsDeps) {
  return {
    /** Takes name, type and site from the records, so that a device cannot report as another one. */
    async accept(fingerprint: string, events: readonly DeviceEvent[]): Promise<DeviceEventsBody> {
      const device = await createDevicesStore(db).find(ALL_SITES, await identity.require(fingerprint));
      if (!device) throw refuseCertificate();
      const { accepted } = await intake.accept(
        events.map((event) => toLogEvent(device, event)),
        {
          format: "json",
          sender: `device:${device.id}`,
          source: device.type,
          ...(device.site !== null && { site: device.site }),
        },
      );
      return { accepted };
    },
  };
}

function toLogEvent({ id, name, type }: DeviceRow, event: DeviceEvent): ReadEvent {
  return {
    id: event.id,
    // A repeat may differ in irrelevant content such as the order of details.
    isIdUnique: true,
    raw: JSON.stringify(event),
    fields: {
      timestamp: event.at,
      host: name,
      action: event.type,
      message: `${name}: ${event.type.replaceAll("_", " ")}`,
      device: { id, type },
      details: event.details ?? {},
    },
  };
}

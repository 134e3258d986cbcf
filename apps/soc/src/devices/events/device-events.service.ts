import type { Kysely } from "kysely";
import { ALL_SITES } from "../../foundation/caller/scope.ts";
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

/** Receives what devices report about their own security, and stores it as logs. */
export function createDeviceEventsService({ db, identity, intake }: DeviceEventsDeps) {
  return {
    /** Name, type and site come from the records: a device cannot report in the name of another. */
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
    // The content may differ in what does not matter, as the order of details does.
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

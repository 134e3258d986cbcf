import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { FirmwareBody } from "../registry/devices.schema.ts";
import { createFirmwareWriter } from "../registry/firmware.store.ts";
import type { StoreFirmwareRequest } from "./attestation.schema.ts";
import { SELECTION } from "./attestation.ts";

export interface FirmwareCatalogDeps {
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type FirmwareCatalogService = ReturnType<typeof createFirmwareCatalogService>;

export function createFirmwareCatalogService({ audit, clock, ids }: FirmwareCatalogDeps) {
  return {
    /** Adds firmware to the catalog, or replaces the entry with the same hash. */
    async store(tx: Tx, caller: Caller, hash: string, request: StoreFirmwareRequest): Promise<FirmwareBody> {
      const { pcrs = {}, sbom_components = [], ...named } = request;
      requireStorable({ ...named, sbom_components });
      const unread = Object.keys(pcrs).find((index) => !SELECTION.map(String).includes(index));
      if (unread !== undefined)
        throw invalidField("pcrs", `PCR '${unread}' is not quoted, only ${SELECTION.join(", ")}`);
      const writer = createFirmwareWriter(tx);
      const known = await writer.lock(hash);
      const id = known?.id ?? ids.next();
      const row = { id, hash, ...named, pcrs, sbom_components, created_at: known?.created_at ?? clock.now() };
      await (known ? writer.replace(row) : writer.insert(row));
      await audit.record(tx, {
        actor: caller.username,
        action: known ? "firmware.updated" : "firmware.created",
        subject_type: "firmware",
        subject_id: id,
        details: { hash, ...named, pcrs, components: sbom_components.length },
      });
      const { created_at: _, ...entry } = row;
      return { ...entry, devices: await writer.countDevices(hash) };
    },
  };
}

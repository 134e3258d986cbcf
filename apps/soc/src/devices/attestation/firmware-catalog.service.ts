import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import { canonicalJson } from "@kit/query/canonical-json";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { HeldDecision, HoldChange } from "../../foundation/held-changes.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { FirmwareRow } from "../registry/device.ts";
import type { FirmwareBody } from "../registry/devices.schema.ts";
import { createFirmwareWriter, toShownFirmware } from "../registry/firmware.store.ts";
import type { StoreFirmwareRequest } from "./attestation.schema.ts";
import { SELECTION } from "./attestation.ts";

export interface FirmwareCatalogDeps {
  holdChange: HoldChange;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type FirmwareCatalogService = ReturnType<typeof createFirmwareCatalogService>;

export function createFirmwareCatalogService({ holdChange, audit, clock, ids }: FirmwareCatalogDeps) {
  /** With four eyes, firmware becomes known good when another person approves it. */
  async function hold(tx: Tx, caller: Caller, row: FirmwareRow): Promise<FirmwareRow> {
    if (!row.known_good || !holdChange) return { ...row, approval_id: null };
    const { id, hash, vendor, product, version, pcrs, sbom_components } = row;
    const content = sha256Hex(canonicalJson({ hash, vendor, product, version, pcrs, sbom_components }));
    const approval_id = await holdChange(tx, caller, {
      ...{ subject: "firmware", id, version: content },
      action: `Trust firmware ${version} of ${vendor} ${product}`,
      justification: "",
      summary: `Devices with the firmware ${hash} (${vendor} ${product} ${version}; ${Object.keys(pcrs).length} PCR values, ${sbom_components.length} components) are attested as trusted`,
    });
    return { ...row, known_good: false, approval_id };
  }

  return {
    async settle(tx: Tx, { approval_id, isApproved, actor }: HeldDecision): Promise<boolean> {
      const settled = await createFirmwareWriter(tx).settle(approval_id, isApproved);
      if (!settled) return false;
      const { id, hash, known_good } = settled;
      const action = isApproved ? "firmware.approved" : "firmware.discarded";
      await audit.record(tx, {
        actor,
        action,
        subject_type: "firmware",
        subject_id: id,
        details: { hash, known_good },
      });
      return true;
    },

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
      const asked = { id, hash, ...named, pcrs, sbom_components, created_at: known?.created_at ?? clock.now() };
      const row: FirmwareRow = isSameTrust(asked, known) ? asked : await hold(tx, caller, asked);
      await (known ? writer.replace(row) : writer.insert(row));
      await audit.record(tx, {
        actor: caller.username,
        action: known ? "firmware.updated" : "firmware.created",
        subject_type: "firmware",
        subject_id: id,
        details: { hash, ...named, known_good: row.known_good, pcrs, components: sbom_components.length },
      });
      const { created_at: _, ...entry } = toShownFirmware(row);
      return { ...entry, devices: await writer.countDevices(hash) };
    },
  };
}

/** Whether a repeated request changes nothing that devices are compared with. */
function isSameTrust(asked: FirmwareRow, known: FirmwareRow | undefined): boolean {
  const toText = ({ vendor, product, version, pcrs, sbom_components, known_good }: FirmwareRow) =>
    canonicalJson({ vendor, product, version, pcrs, sbom_components, known_good });
  return known !== undefined && !known.approval_id && toText(asked) === toText(known);
}

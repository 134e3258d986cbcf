import { sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    tpm_bindings: { endorsement_name: string; device_id: string; bound_at: Date };
  }
}

export interface TpmBinding {
  endorsement_name: string;
  device_id: string;
  bound_at: Date;
}

/** The result of an attempt to bind a TPM to a device. */
export interface BindingResult {
  /** The name of another device that has the TPM; the binding did not change. */
  rival?: string;
  /** Whether the TPM was bound now. */
  isNew: boolean;
  /** The TPM that the device had before. */
  previous?: string;
}

export function createTpmBindingsWriter(tx: Db) {
  const findOwner = (endorsement_name: string) =>
    tx
      .selectFrom("tpm_bindings")
      .innerJoin("devices", "devices.id", "device_id")
      .select(["device_id", "devices.name"])
      .where("endorsement_name", "=", endorsement_name)
      .executeTakeFirst();

  return {
    /** Binds the TPM to the device, unless another device has it that is not revoked. Of concurrent devices one wins. */
    async bind({ endorsement_name, device_id, bound_at }: TpmBinding): Promise<BindingResult> {
      if ((await findOwner(endorsement_name))?.device_id === device_id) return { isNew: false };
      const { numAffectedRows = 0n } = await sql`
        INSERT INTO tpm_bindings (endorsement_name, device_id, bound_at)
        VALUES (${endorsement_name}, ${device_id}, ${bound_at})
        ON CONFLICT (endorsement_name) DO UPDATE SET device_id = excluded.device_id, bound_at = excluded.bound_at
        WHERE EXISTS (SELECT FROM devices WHERE id = tpm_bindings.device_id AND revoked_at IS NOT NULL)`.execute(tx);
      if (numAffectedRows === 0n) {
        const owner = await findOwner(endorsement_name);
        return owner?.device_id === device_id ? { isNew: false } : { isNew: false, rival: owner?.name ?? "unknown" };
      }
      const [former] = await tx
        .deleteFrom("tpm_bindings")
        .where("device_id", "=", device_id)
        .where("endorsement_name", "<>", endorsement_name)
        .returning("endorsement_name")
        .execute();
      return { isNew: true, ...(former && { previous: former.endorsement_name }) };
    },
  };
}

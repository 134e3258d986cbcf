import Type from "typebox";
import type { Database } from "../storage/database.ts";
import { OTA_MODES, OTA_STATUSES } from "./ota.schema.ts";
import type { Update } from "./update.ts";

export type OtaStore = ReturnType<typeof createOtaStore>;

const Row = Type.Object({
  mode: Type.Enum([...OTA_MODES]),
  status: Type.Enum([...OTA_STATUSES]),
  progress: Type.Integer(),
  error: Type.String(),
  slot: Type.String(),
  boot_id: Type.String(),
  trials: Type.Integer(),
});

/** One row: the current or last update and its progress. */
export function createOtaStore(database: Database) {
  const select = database.query(
    Row,
    "SELECT mode, status, progress, error, slot, boot_id, trials FROM ota_update WHERE id = 1",
  );
  const replace = database.command(
    `REPLACE INTO ota_update (id, mode, status, progress, error, slot, boot_id, trials)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    find: (): Update | undefined => select.first(),

    save({ mode, status, progress, error, slot, boot_id, trials }: Update): void {
      replace(mode, status, progress, error, slot, boot_id, trials);
    },
  };
}

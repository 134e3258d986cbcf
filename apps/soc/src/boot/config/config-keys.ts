import { join, resolve } from "node:path";
import Type, { type Static } from "typebox";

/** The files of the keys that all hosts of a platform share. */
export const KEY_VARIABLES = {
  SOC_LEDGER_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_CHANNELS_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_DEVICES_CA_FILE: Type.Optional(Type.String({ minLength: 1 })),
};
const Variables = Type.Object(KEY_VARIABLES);

export function readKeyFiles(read: Static<typeof Variables> & { SOC_DATA_DIR: string }) {
  const find = (given: string | undefined, name: string) => resolve(given ?? join(read.SOC_DATA_DIR, name));
  return {
    ledgerKeyFile: find(read.SOC_LEDGER_KEY_FILE, "ledger.key"),
    channelsKeyFile: find(read.SOC_CHANNELS_KEY_FILE, "channels.key"),
    devicesCaFile: find(read.SOC_DEVICES_CA_FILE, "devices-ca.pem"),
  };
}

import type { FirmwareSlot, FirmwareUpdater } from "../../ota/firmware-updater.ts";
import type { BootReader } from "./boot-reader.ts";
import { hashProgram } from "./program-hash.ts";

/** The running program, as its process reports it. */
export interface Program {
  version: string;
  /** The version of Node.js. */
  node: string;
  /** The version of the kernel. */
  kernel: string;
  /** The files of the installed service. */
  folder: string;
}

export interface MeasurementDeps {
  updater: Pick<FirmwareUpdater, "slots">;
  boot: BootReader;
  program: Program;
}

export interface AskedMeasurement {
  device_id: string;
  request_id: string;
  nonce: string;
}

/** Measures the device and returns the text that is signed. */
export type Measure = (asked: AskedMeasurement) => Promise<string>;

const DIGEST = /^[0-9a-f]{64}$/;
const MAX_SLOTS = 16;

/** Only known values: unknown ones are null or omitted. */
export function createMeasure({ updater, boot, program }: MeasurementDeps): Measure {
  let programHash: Promise<string> | undefined;

  /** The files do not change while they run. */
  function readProgramHash(): Promise<string> {
    programHash ??= hashProgram(program.folder).catch((error: unknown) => {
      programHash = undefined;
      throw error;
    });
    return programHash;
  }

  return async ({ device_id, request_id, nonce }) => {
    const slots = (await updater.slots()).slice(0, MAX_SLOTS).map(withSoundHash);
    const booted = slots.find(({ is_booted }) => is_booted)?.hash ?? null;
    return JSON.stringify({
      ...{ device_id, request_id, nonce },
      firmware: { version: program.version, hash: booted ?? (await readProgramHash()) },
      boot: await boot.read(),
      slots,
      components: [
        { name: "manara-player", version: program.version },
        { name: "node", version: program.node },
        { name: "kernel", version: program.kernel },
      ],
    });
  };
}

function withSoundHash({ name, is_booted, hash }: FirmwareSlot): FirmwareSlot {
  const digest = hash?.toLowerCase() ?? "";
  return { name, is_booted, hash: DIGEST.test(digest) ? digest : null };
}

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Log } from "@kit/log";

export interface ConsoleDeviceDeps {
  /** A terminal of the device, for example /dev/console or /dev/ttyS0. */
  path: string;
  log: Pick<Log, "warn">;
}

/** What a person reads who is connected to the device itself. */
export interface ConsoleDevice {
  write(text: string): void;
}

// A serial line that is not connected must not stop the service, and must not become its controlling terminal.
const OPEN_FLAGS = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK;

/** Writes to a terminal only: a secret must not end up in a file that collects output. */
export function createConsoleDevice({ path, log }: ConsoleDeviceDeps): ConsoleDevice {
  async function writeOnce(text: string): Promise<void> {
    const file = await open(path, OPEN_FLAGS);
    try {
      const stats = await file.stat();
      if (!stats.isCharacterDevice() && !stats.isFIFO()) throw new Error("the console must be a terminal, not a file");
      await file.write(text);
    } finally {
      await file.close();
    }
  }

  return {
    write(text) {
      writeOnce(text).catch((error: unknown) => log.warn({ err: error, path }, "writing to the console failed"));
    },
  };
}

import { join } from "node:path";
import type { Log } from "@kit/log";
import { invalidField } from "@kit/problem";
import { createLineServer, type LineServer } from "../system/line-server.ts";
import type { PairingService } from "./pairing.service.ts";

export interface PairingConsoleDeps {
  dataFolder: string;
  pairing: Pick<PairingService, "openAtConsole">;
  log: Pick<Log, "warn">;
}

export interface PairingConsole extends LineServer {
  /** Whether the command on the device can open pairing. */
  isReady(): boolean;
}

/** The one line that the socket takes. */
export const OPEN_LINE = "open";

export function findPairingSocket(dataFolder: string): string {
  return join(dataFolder, "pairing.sock");
}

/** Opens pairing for a person at a terminal of the device, who runs `manara-player pair`. */
export function createPairingConsole({ dataFolder, pairing, log }: PairingConsoleDeps): PairingConsole {
  let isReady = false;
  const server = createLineServer({
    path: findPairingSocket(dataFolder),
    component: "pairing",
    answer(line) {
      if (line !== OPEN_LINE) throw invalidField("line", `must be ${OPEN_LINE}`);
      return pairing.openAtConsole();
    },
  });
  return {
    ...server,
    isReady: () => isReady,

    async start() {
      try {
        await server.start();
        isReady = true;
      } catch (error) {
        // On a storage that cannot be written the button still opens pairing.
        log.warn({ err: error }, "the pairing command is unavailable");
      }
    },
  };
}

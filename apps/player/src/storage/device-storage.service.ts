import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Events } from "../events.ts";
import { createCopiesService } from "./copies.service.ts";
import { openDatabase } from "./database.ts";
import { createTryWrite } from "./try-write.ts";

export interface DeviceStorageServiceDeps {
  dataFolder: string;
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "now" | "sleep">;
  log: Pick<Log, "warn" | "error">;
}

/** The database with its copies, and the writes that wait for it. */
export function createDeviceStorageService({ dataFolder, events, clock, log }: DeviceStorageServiceDeps) {
  const { database } = openDatabase(dataFolder, clock);
  const tryWrite = createTryWrite({ events, clock, log });
  const copies = createCopiesService({ database, clock, log });
  return {
    database,
    tryWrite,

    start(): void {
      for (const failure of database.failures()) log.error(failure, "storage");
      copies.start();
    },

    /** After a reset no file, and no write that waits, holds data of the owner. */
    removeCopies(): void {
      tryWrite.forget();
      database.removeCopies();
    },

    close(): void {
      tryWrite.close();
      copies.close();
      database.close();
    },
  };
}

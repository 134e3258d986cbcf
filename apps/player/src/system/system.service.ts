import type { Clock } from "@kit/clock";
import type { StorageUse } from "../storage/storage.ts";
import type { SystemBody } from "./system.schema.ts";

export interface SystemServiceDeps {
  version: string;
  clock: Pick<Clock, "monotonicMs">;
  freeMemory: () => number;
  measureStorage: () => Promise<StorageUse>;
  boot_failures: () => SystemBody["boot_failures"];
  /** Warnings for the owner that the owner can resolve. */
  warnings: () => string[];
}
export type SystemService = ReturnType<typeof createSystemService>;

export function createSystemService(deps: SystemServiceDeps) {
  const { version, clock, freeMemory, measureStorage, boot_failures, warnings } = deps;
  const startedMs = clock.monotonicMs();
  return {
    async get(): Promise<SystemBody> {
      return {
        version,
        uptime: Math.floor((clock.monotonicMs() - startedMs) / 1000),
        free_heap: freeMemory(),
        nvs: await measureStorage(),
        boot_failures: boot_failures(),
        warnings: warnings(),
      };
    },
  };
}

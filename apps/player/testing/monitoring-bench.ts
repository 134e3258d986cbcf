import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { reachOf } from "@kit/guard/address";
import { createOutboundGuard } from "@kit/guard/fetch";
import { silentLog } from "@kit/log/silent";
import { onTestFinished } from "vitest";
import { createSimulatedBoot } from "../src/drivers/simulated-boot.ts";
import { createSimulatedUpdater } from "../src/drivers/simulated-updater.ts";
import { createEvents } from "../src/events.ts";
import { createMonitoring } from "../src/monitoring/monitoring.feature.ts";
import { monitoringRoutes } from "../src/monitoring/monitoring.routes.ts";
import { openDatabase } from "../src/storage/database.ts";
import type { SystemBody } from "../src/system/system.schema.ts";
import type { SecurityPlatform } from "./security-platform.ts";
import { createTestFrame } from "./test-frame.ts";

export interface MonitoringBenchOptions {
  /** The data of a device that is started again. */
  dataFolder?: string;
  clock?: Clock;
  time?: { now: () => number; isValid: () => boolean };
}

/** The monitoring with its routes on a database of its own. One loopback address counts as a public one. */
export async function startMonitoringBench(options: MonitoringBenchOptions = {}) {
  const { clock = createClock() } = options;
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), "monitoring-")));
  const { database } = openDatabase(dataFolder, clock);
  const ids = createIds(clock);
  const events = createEvents();
  const boot_failures: SystemBody["boot_failures"] = [];
  const monitoring = createMonitoring({
    ...{ database, dataFolder, events, clock, ids, log: silentLog, version: "1.2.3" },
    guard: createOutboundGuard({
      ownAddresses: () => [],
      classify: (address) => (address === "127.0.0.1" ? "public" : reachOf(address)),
    }),
    hardware: { updater: createSimulatedUpdater({ clock, ids }), boot: createSimulatedBoot({ clock, ids }) },
    program: { node: "v24.1.0", folder: import.meta.dirname },
    boot_failures: () => boot_failures,
    time: options.time ?? { now: () => clock.now().getTime(), isValid: () => true },
  });
  const app = createTestFrame();
  await app.register(monitoringRoutes(monitoring), { prefix: "/api" });
  await monitoring.start();
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await monitoring.close();
    database.close();
  };
  onTestFinished(async () => {
    await close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  return {
    ...{ app, monitoring, database, events, boot_failures, dataFolder, close },
    status: async () => (await app.inject("/api/monitoring")).json(),
    sent: async (cursor?: number) =>
      (await app.inject(`/api/monitoring/sent${cursor === undefined ? "" : `?cursor=${cursor}`}`)).json(),
    remove: async () => (await app.inject({ method: "DELETE", url: "/api/monitoring" })).json(),
    enrol: (platform: SecurityPlatform, changes: object = {}) => {
      const { address, authority } = platform;
      const payload = { address, code: platform.newCode(), authority_fingerprint: authority.fingerprint, ...changes };
      return app.inject({ method: "POST", url: "/api/monitoring/enrol", payload });
    },
  };
}
export type MonitoringBench = Awaited<ReturnType<typeof startMonitoringBench>>;

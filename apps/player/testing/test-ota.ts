import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { createOutboundGuard } from "@kit/guard/fetch";
import { silentLog } from "@kit/log/silent";
import { onTestFinished } from "vitest";
import { createSimulatedUpdater } from "../src/drivers/simulated-updater.ts";
import { otaRoutes } from "../src/ota/ota.routes.ts";
import type { OtaBody } from "../src/ota/ota.schema.ts";
import { createOtaService, type OtaServiceDeps } from "../src/ota/ota.service.ts";
import { createOtaStore } from "../src/ota/ota.store.ts";
import { openDatabase } from "../src/storage/database.ts";
import { createTestFrame } from "./test-frame.ts";

export interface TestOtaOptions extends Partial<OtaServiceDeps> {
  /** The data folder of an existing device, whose stored data is used. */
  dataFolder?: string;
}

/** The update feature with its routes, on a simulated device and a clock that a test advances. Not started. */
export async function createTestOta({ dataFolder, ...given }: TestOtaOptions = {}) {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), "ota-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clock = createFakeClock();
  const { database } = openDatabase(folder, clock);
  const store = createOtaStore(database);
  const updater = given.updater ?? createSimulatedUpdater({ clock, ids: createFakeIds() });
  const emitted: OtaBody[] = [];
  const ota = createOtaService({
    store,
    guard: createOutboundGuard(),
    clock,
    log: silentLog,
    folder: join(folder, "ota"),
    version: "1.5.0",
    battery: async () => ({ present: false, percentage: 0, charging: false }),
    checks: [],
    onStatus: (status) => emitted.push(status),
    ...given,
    updater,
  });
  const app = createTestFrame();
  await app.register(otaRoutes(ota), { prefix: "/api" });

  /** Advances the clock until the status is as expected. */
  const until = async (status: OtaBody["status"], stepMs = 500): Promise<void> => {
    for (let step = 0; ota.status().status !== status; step += 1) {
      if (step === 5000) throw new Error(`it is ${JSON.stringify(ota.status())}`);
      await clock.advance(stepMs);
      await wait(1);
    }
  };

  return {
    ota,
    app,
    store,
    updater,
    clock,
    emitted,
    dataFolder: folder,
    /** Each status once, in order of occurrence. */
    statuses: () => emitted.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1]),
    upload: (payload: Buffer) => app.inject({ method: "POST", url: "/api/ota/upload", payload }),
    until,
    /** Ends it as a kill would: nothing more is emitted or written. */
    kill(): void {
      ota.close();
      database.close();
    },
  };
}

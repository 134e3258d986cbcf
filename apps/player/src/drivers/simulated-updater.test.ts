import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeIds } from "@kit/clock/fake";
import { describeFirmwareUpdater } from "../../testing/firmware-updater.contract.ts";
import { simulatedBundle } from "../../testing/simulated-bundle.ts";
import { createSimulatedUpdater, SIMULATED_COMPATIBLE } from "./simulated-updater.ts";

describeFirmwareUpdater("simulated updater", async () => {
  const folder = await mkdtemp(join(tmpdir(), "updater-"));
  const updater = createSimulatedUpdater({ clock: { sleep: async () => undefined }, ids: createFakeIds() });
  return {
    updater,
    compatible: SIMULATED_COMPATIBLE,
    async bundle(options) {
      const path = join(folder, "bundle");
      await writeFile(path, simulatedBundle(options));
      return path;
    },
    restart: () => updater.reboot(),
    close: () => rm(folder, { recursive: true }),
  };
});

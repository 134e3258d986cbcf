import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { describeCardReader } from "../../testing/card-reader.contract.ts";
import { startVirtualReader } from "../../testing/virtual-reader.ts";
import { createPcscCardReader } from "./pcsc-card-reader.ts";

describeCardReader("PC/SC card reader", async () => {
  const virtual = await startVirtualReader();
  const { socketPath, place, remove } = virtual;
  return {
    reader: createPcscCardReader({ clock: createClock(), log: silentLog, socketPath }),
    place,
    remove,
    breakDown: virtual.kill,
    repair: virtual.start,
    clear: virtual.stop,
  };
});

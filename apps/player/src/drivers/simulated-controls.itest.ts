import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { describeControls } from "../../testing/controls.contract.ts";
import { createManualEngine } from "../../testing/manual-engine.ts";
import { createSimulatedHardware } from "./simulated-hardware.ts";

describeControls("the keys of the simulated device", async () => {
  const clock = createFakeClock();
  const folder = await mkdtemp(join(tmpdir(), "keys-"));
  const hardware = createSimulatedHardware({
    engine: createManualEngine(),
    dataFolder: folder,
    clock,
    ids: createIds(clock),
  });
  const send = async (command: object) => {
    const socket = createConnection(join(folder, "simulator.sock"));
    socket.end(`${JSON.stringify(command)}\n`);
    for await (const _answer of socket);
  };
  return {
    input: {
      start: (listener) => hardware.start({ ...listener, eject: () => undefined }),
      keys: () => hardware.keys(),
      close: () => hardware.close(),
    },
    change: (name, change) => send({ key: { name, change } }),
    turn: (steps) => send({ turn: steps }),
    unplug: () => send({ key: { name: "main", change: "lost" } }),
    clear: () => rm(folder, { recursive: true }),
  };
});

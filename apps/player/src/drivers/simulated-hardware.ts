import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { CONTROL_KEYS } from "../controls/control-input.ts";
import type { AudioEngine } from "../playback/audio-engine.ts";
import type { LineServer } from "../system/line-server.ts";
import type { Hardware } from "./hardware.ts";
import { createMemoryDisplay } from "./memory-display.ts";
import { createSimulatedAdvertiser } from "./simulated-advertiser.ts";
import { createSimulatedBacklight } from "./simulated-backlight.ts";
import { createSimulatedBattery } from "./simulated-battery.ts";
import { createSimulatedBoot } from "./simulated-boot.ts";
import { createSimulatedCardReader } from "./simulated-card-reader.ts";
import { createSimulatedClockChip, createSimulatedSystemClock } from "./simulated-clock.ts";
import { createSimulatedPower } from "./simulated-power.ts";
import { createSimulatedUpdater } from "./simulated-updater.ts";
import { createSimulatedWifi } from "./simulated-wifi.ts";
import { createSimulator } from "./simulator.ts";

export interface SimulatedHardwareDeps {
  engine: AudioEngine;
  /** The folder in which `simulator.sock` is created. */
  dataFolder: string;
  clock: Clock;
  ids: Ids;
}

/** A complete simulated device. Tests control it through `simulator.sock` in the data folder. */
export function createSimulatedHardware({ engine, dataFolder, clock, ids }: SimulatedHardwareDeps): Hardware {
  const reader = createSimulatedCardReader();
  const battery = createSimulatedBattery();
  const power = createSimulatedPower();
  const chip = createSimulatedClockChip(clock, () => power.wake());
  let simulator: LineServer | undefined;
  return {
    engine,
    reader,
    systemClock: createSimulatedSystemClock({ clock, hasServers: () => true }),
    chip,
    wifi: createSimulatedWifi({ ssid: "Simulated", password: "" }),
    backlight: createSimulatedBacklight(),
    battery,
    power,
    display: createMemoryDisplay(),
    updater: createSimulatedUpdater({ clock, ids }),
    boot: createSimulatedBoot({ clock, ids }),
    advertiser: createSimulatedAdvertiser(),
    notifier: undefined,
    watchdogMs: undefined,
    mountsCard: false,
    keys: () => new Set(CONTROL_KEYS),
    async start(hand) {
      simulator = createSimulator({
        path: join(dataFolder, "simulator.sock"),
        tap: (uid) => reader.tap(uid),
        lift: () => reader.lift(),
        changeKey(key, change) {
          power.wake();
          for (const each of change === "press" ? (["down", "up"] as const) : [change]) hand.key(key, each);
        },
        turn: (steps) => hand.turn(steps),
        setBattery: (reading) => battery.become(reading),
        eject: () => hand.eject(),
      });
      await simulator.start();
    },
    async close() {
      await chip.setAlarm(null);
      await simulator?.close();
    },
  };
}

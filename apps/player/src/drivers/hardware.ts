import type { FirmwareUpdater } from "../ota/firmware-updater.ts";
import type { AudioEngine } from "../playback/audio-engine.ts";
import type { BatteryGauge } from "../power/battery-gauge.ts";
import type { PowerManager } from "../power/power-manager.ts";
import type { CardReader } from "../rfid/card-reader.ts";
import type { Display } from "../screen/display.ts";
import type { Backlight } from "../settings/backlight.ts";
import type { WifiManager } from "../settings/wifi-manager.ts";
import type { Advertiser } from "../system/advertiser.ts";
import type { ServiceNotifier } from "../system/service-notifier.ts";
import type { ClockChip } from "../time/clock-chip.ts";
import type { SystemClock } from "../time/system-clock.ts";

/** What a hand does to the device itself. */
export interface ManualInput {
  press(): void;
  eject(): void;
}

/** All the parts of one device. A part that is not fitted is undefined. */
export interface Hardware {
  engine: AudioEngine;
  reader: CardReader;
  systemClock: SystemClock;
  chip: ClockChip | undefined;
  wifi: WifiManager | undefined;
  backlight: Backlight | undefined;
  battery: BatteryGauge | undefined;
  power: PowerManager | undefined;
  display: Display;
  updater: FirmwareUpdater;
  advertiser: Advertiser | undefined;
  notifier: ServiceNotifier | undefined;
  /** After how long a silent service is taken for dead; undefined when nobody watches. */
  watchdogMs: number | undefined;
  /** Begins to tell what a hand does; a Problem when that cannot be. */
  start(input: ManualInput): Promise<void>;
  close(): Promise<void>;
}

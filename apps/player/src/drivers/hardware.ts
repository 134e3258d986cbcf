import type { ControlKey, ControlListener } from "../controls/control-input.ts";
import type { BootReader } from "../monitoring/attestation/boot-reader.ts";
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

/** What a person does to the device by hand. */
export interface ManualInput extends ControlListener {
  eject(): void;
}

/** All parts of one device. A part that is not fitted is undefined. */
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
  boot: BootReader;
  advertiser: Advertiser | undefined;
  notifier: ServiceNotifier | undefined;
  /** The service manager restarts a service that is silent for this long; undefined without a watchdog. */
  watchdogMs: number | undefined;
  /** Whether the memory card is a file system of its own; otherwise any folder is a card. */
  mountsCard: boolean;
  /** The keys that are fitted now. */
  keys(): ReadonlySet<ControlKey>;
  /** Starts to report manual input; rejects with a Problem when that is impossible. */
  start(input: ManualInput): Promise<void>;
  close(): Promise<void>;
}

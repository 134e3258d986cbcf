import type { Events } from "./events.ts";
import { createLastError } from "./live/last-error.ts";
import type { OtaService } from "./ota/ota.service.ts";
import type { PlaybackService } from "./playback/playback.service.ts";
import type { BatteryService } from "./power/battery.service.ts";
import type { AdhanService } from "./prayer/adhan.service.ts";
import type { PrayerService } from "./prayer/prayer.service.ts";
import type { DeviceSettingsService } from "./settings/device-settings.service.ts";

export interface HelloDeps {
  version: string;
  boot_id: string;
  playback: Pick<PlaybackService, "status">;
  prayer: Pick<PrayerService, "body">;
  battery: Pick<BatteryService, "current">;
  ota: Pick<OtaService, "status">;
  settings: Pick<DeviceSettingsService, "body">;
  adhan: Pick<AdhanService, "current">;
  events: Pick<Events, "onEvent">;
}

/** The complete state for a client that connects; events update it from then on. */
export function createHello({ version, boot_id, events, ...parts }: HelloDeps): () => object {
  const { playback, prayer, battery, ota, settings, adhan } = parts;
  const lastError = createLastError({ events, status: playback.status });
  return () => ({
    version,
    boot_id,
    playback: playback.status(),
    prayer: prayer.body(),
    battery: battery.current(),
    ota: ota.status(),
    settings: settings.body(),
    adhan: adhan.current() ?? null,
    error: lastError.current() ?? null,
  });
}

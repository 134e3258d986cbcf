import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import type { TimeService } from "../time/time.service.ts";
import type { Backlight } from "./backlight.ts";
import type { Settings, SettingsBody } from "./settings.schema.ts";
import type { SettingsService } from "./settings.service.ts";
import type { WifiService } from "./wifi.service.ts";
import type { NetworkInReach, WifiNetwork } from "./wifi-manager.ts";

export interface DeviceSettingsServiceDeps {
  settings: Pick<SettingsService, "get" | "change" | "onChange">;
  wifi: Pick<WifiService, "status" | "onChange" | "join" | "listNetworks">;
  time: Pick<TimeService, "now" | "source" | "temperature" | "setTime" | "setZone" | "onChange">;
  /** Undefined when none is fitted. */
  backlight: Backlight | undefined;
  /** Whether this device can sleep and wake up again. */
  canSleep: () => boolean;
  hostname: () => string;
  ip: () => string;
  events: Pick<Events, "emit">;
  log: Pick<Log, "warn">;
}
export type DeviceSettingsService = ReturnType<typeof createDeviceSettingsService>;

/** The settings together with the state of network, clock and screen. It emits every change to clients. */
export function createDeviceSettingsService(deps: DeviceSettingsServiceDeps) {
  const { settings, wifi, time, backlight, canSleep, hostname, ip, events, log } = deps;
  let emittedSource = time.source();
  let shownBrightness: number | undefined;

  function body(): SettingsBody {
    const rtc_temperature = time.temperature();
    const time_source = time.source();
    return {
      ...wifi.status(),
      ip: ip(),
      hostname: hostname(),
      time: Math.floor(time.now() / 1000),
      time_synced: time_source === "sntp",
      time_source,
      ...(rtc_temperature !== undefined && { rtc_temperature }),
      ...settings.get(),
    };
  }

  function emitSettings(): void {
    emittedSource = time.source();
    events.emit("settings", body());
  }

  async function show(brightness: number): Promise<void> {
    if (!backlight) throw new Problem("failed", "backlight: none is fitted");
    await backlight.set(brightness);
    shownBrightness = brightness;
  }

  /** A reset or a restored backup changes the setting without setting the light. */
  function follow({ brightness }: Settings): void {
    if (shownBrightness === undefined || brightness === shownBrightness) return;
    show(brightness).catch((error: unknown) => log.warn({ err: error }, "setting the backlight failed"));
  }

  const stopListening = [
    settings.onChange(emitSettings),
    settings.onChange(follow),
    wifi.onChange(emitSettings),
    // A new zone is already emitted as a setting, and clients can compute the effect of a clock jump.
    time.onChange(() => {
      if (time.source() !== emittedSource) emitSettings();
    }),
  ];

  return {
    body,

    async start(): Promise<void> {
      await backlight?.start();
      await show(settings.get().brightness);
    },

    close(): void {
      for (const stop of stopListening) stop();
    },

    change(part: Partial<Settings>): SettingsBody {
      settings.change(part);
      return body();
    },

    async setBrightness(brightness: number): Promise<SettingsBody> {
      await show(brightness);
      try {
        settings.change({ brightness });
      } catch (error) {
        await show(settings.get().brightness);
        throw error;
      }
      return body();
    },

    /** A device that cannot sleep refuses the minutes, instead of promising a sleep that never comes. */
    setAutoOff(auto_off_minutes: number): SettingsBody {
      if (auto_off_minutes > 0 && !canSleep()) throw new Problem("failed", "power: this device cannot sleep");
      settings.change({ auto_off_minutes });
      return body();
    },

    setTimezone(rule: string): SettingsBody {
      time.setZone(rule);
      return body();
    },

    async setTime(epoch: number): Promise<SettingsBody> {
      const source = time.source();
      await time.setTime(epoch);
      if (time.source() === source) emitSettings();
      return body();
    },

    listWifi: (): Promise<NetworkInReach[]> => wifi.listNetworks(),

    joinWifi(network: WifiNetwork): void {
      wifi.join(network);
      emitSettings();
    },
  };
}

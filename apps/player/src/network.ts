import { networkInterfaces } from "node:os";
import type { Clock } from "@kit/clock";
import { formatServiceAddress } from "@kit/http/service";
import type { Log } from "@kit/log";
import type { Events } from "./events.ts";
import { createPortalService } from "./portal/portal.service.ts";
import { findOwnAddress } from "./settings/own-address.ts";
import type { SettingsService } from "./settings/settings.service.ts";
import { createWifiService } from "./settings/wifi.service.ts";
import type { WifiManager } from "./settings/wifi-manager.ts";
import type { Advertiser } from "./system/advertiser.ts";
import { createAdvertisingService } from "./system/advertising.service.ts";

export interface NetworkParts {
  hardware: { wifi: WifiManager | undefined; advertiser: Advertiser | undefined };
  settings: SettingsService;
  hostname: () => string;
  /** The port of the service. */
  port: number;
  /** Without a certificate the service uses plain HTTP. */
  certificate: object | undefined;
  /** The port of the pages in the set-up network; undefined when there are none. */
  setupPort: number | undefined;
  /** The number of connected dashboards. */
  clientCount: () => number;
  events: Events;
  clock: Clock;
  log: Log;
}

/** How a phone finds and reaches the device: a known network, or the device's own network with its pages. */
export function createNetwork(parts: NetworkParts) {
  const { hardware, settings, hostname, port, setupPort, clientCount, events, clock, log } = parts;
  const hasTls = parts.certificate !== undefined;
  // A URL leaves the usual port out.
  const toDashboardUrl = (host: string) => new URL(formatServiceAddress({ host, port, hasTls })).href;
  const isInUse = () => clientCount() > 0 || portal.isInUse();
  const wifi = createWifiService({ manager: hardware.wifi, isInUse, events, clock, log });
  const portal = createPortalService({
    accessPoint: wifi.accessPoint,
    onAccessPoint: wifi.onAccessPoint,
    port: setupPort,
    toDashboardUrl,
    clock,
    log,
  });
  const advertising = createAdvertisingService({
    advertiser: hardware.advertiser,
    settings,
    hostname,
    port,
    hasTls,
    clock,
    log,
  });
  return {
    wifi,
    advertising,

    /** The device's own address now. */
    ip: (): string => findOwnAddress(networkInterfaces()),

    /** For the device's screen. */
    accessPoint(): { ssid: string; url: string } | undefined {
      const found = wifi.accessPoint();
      return found && { ssid: found.ssid, url: toDashboardUrl(found.address) };
    },

    failures: () => [wifi.failure() ?? [], portal.failure() ?? []].flat(),

    async close(): Promise<void> {
      wifi.close();
      await Promise.all([portal.close(), advertising.close()]);
    },
  };
}

import { listHostMeasures } from "@kit/http/host-measures";
import type { Measure } from "@kit/http/metrics";
import type { CertificateService } from "./certificate/certificate.service.ts";
import type { Hardware } from "./drivers/hardware.ts";
import type { LiveService } from "./live/live.service.ts";
import type { PlaybackState } from "./playback/playback.schema.ts";
import type { PlaybackService } from "./playback/playback.service.ts";
import type { AdhanService } from "./prayer/adhan.service.ts";
import type { CalledAdhansService } from "./prayer/adhan-log.service.ts";
import type { SystemBody } from "./system/system.schema.ts";
import type { TimeService } from "./time/time.service.ts";

export interface PlayerMeasuresDeps {
  playback: Pick<PlaybackService, "status">;
  time: Pick<TimeService, "isValid">;
  called: Pick<CalledAdhansService, "lastEpoch">;
  adhan: Pick<AdhanService, "nextEpoch" | "counts">;
  live: Pick<LiveService, "clientCount">;
  hardware: Pick<Hardware, (typeof OPTIONAL_PARTS)[number]>;
  /** Undefined without TLS. */
  certificate?: Pick<CertificateService, "current"> | undefined;
  boot_failures: () => SystemBody["boot_failures"];
  dataFolder: string;
  cardFolder: string;
}

const OPTIONAL_PARTS = ["chip", "wifi", "backlight", "battery", "power", "advertiser", "notifier"] as const;
const STATES: readonly PlaybackState[] = ["playing", "paused", "buffering", "stopped"];

/** The data of the status routes as numbers. It contains no name of a file, station or person. */
export function listPlayerMeasures(deps: PlayerMeasuresDeps): Measure[] {
  const { playback, time, called, adhan, live, hardware, boot_failures } = deps;
  return [
    ...listHostMeasures({
      folders: { data: deps.dataFolder, card: deps.cardFolder },
      certificates: () => ({ https: deps.certificate?.current() }),
    }),
    {
      name: "playback_state",
      help: "1 for the present state of playback, 0 for the others.",
      kind: "gauge",
      label: "state",
      read() {
        const { state: present } = playback.status();
        return Object.fromEntries(STATES.map((state) => [state, Number(state === present)]));
      },
    },
    {
      name: "part_fitted",
      help: "1 if the device has this optional part and its driver.",
      kind: "gauge",
      label: "part",
      read: () => Object.fromEntries(OPTIONAL_PARTS.map((part) => [part, Number(hardware[part] !== undefined)])),
    },
    {
      name: "component_failed",
      help: "1 for each component that failed; without a failure there is no value.",
      kind: "gauge",
      label: "component",
      read: () => Object.fromEntries(boot_failures().map(({ component }) => [component, 1])),
    },
    {
      name: "clock_valid",
      help: "1 while the device knows the time.",
      kind: "gauge",
      read: () => Number(time.isValid()),
    },
    {
      name: "last_adhan_timestamp_seconds",
      help: "When the last adhan was called, in seconds since 1970; no value before the first one.",
      kind: "gauge",
      read: () => called.lastEpoch(),
    },
    {
      name: "next_adhan_timestamp_seconds",
      help: "When the next adhan is due, in seconds since 1970; no value when none is planned.",
      kind: "gauge",
      read: () => adhan.nextEpoch(),
    },
    {
      name: "adhans_total",
      help: "Adhans since the start of the service, by what became of them.",
      kind: "counter",
      label: "phase",
      read: () => adhan.counts(),
    },
    {
      name: "clients",
      help: "Connected dashboards.",
      kind: "gauge",
      read: () => live.clientCount(),
    },
  ];
}

import { arch, endianness } from "node:os";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { createBus } from "./dbus.ts";
import { createFramebufferDisplay } from "./framebuffer-display.ts";
import type { Hardware } from "./hardware.ts";
import { createLinuxAdvertiser } from "./linux-advertiser.ts";
import { launchMpvByService } from "./linux-audio-service.ts";
import { createLinuxBacklight } from "./linux-backlight.ts";
import { createLinuxBattery } from "./linux-battery.ts";
import { createLinuxBoot } from "./linux-boot.ts";
import { createLinuxSystemClock, findLinuxClockChip } from "./linux-clock.ts";
import { createLinuxInput } from "./linux-input.ts";
import { chooseEventLayout } from "./linux-input-events.ts";
import { createLinuxNotifier } from "./linux-notifier.ts";
import { createLinuxPower } from "./linux-power.ts";
import { createLinuxWifi } from "./linux-wifi.ts";
import type { AudioOutput } from "./mpv-arguments.ts";
import { createMpvEngine } from "./mpv-engine.ts";
import { createPcscCardReader } from "./pcsc-card-reader.ts";
import { createRaucUpdater } from "./rauc-updater.ts";

export interface LinuxHardwareDeps {
  /** With `socketPath` the service behind that socket runs mpv and chooses output and device. */
  audio: AudioOutput & { socketPath?: string | undefined };
  /** The device file of the panel, for example /dev/fb1; found by its size when it is left out. */
  framebuffer: string | undefined;
  /** systemd(1) passes its socket and its watchdog timeout in the environment. */
  environment: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  ids: Ids;
  log: Log;
}

const SYSTEM_BUS = "unix:path=/run/dbus/system_bus_socket";
const SYSFS = "/sys";

/** The parts of a Linux machine, each through its standard Linux interface. */
export async function openLinuxHardware({
  audio,
  framebuffer,
  environment,
  clock,
  ids,
  log,
}: LinuxHardwareDeps): Promise<Hardware> {
  const bus = createBus({ address: SYSTEM_BUS, clock });
  const input = createLinuxInput({
    sysfs: SYSFS,
    folder: "/dev/input",
    layout: chooseEventLayout(arch(), endianness()),
    clock,
    log,
  });
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdogUs } = environment;
  const { socketPath, ...output } = audio;
  const launch = socketPath === undefined ? undefined : launchMpvByService({ socketPath, bus, clock, log });
  return {
    engine: createMpvEngine({ clock, log, ...output, launch }),
    reader: createPcscCardReader({ clock, log }),
    systemClock: createLinuxSystemClock({ bus, clock }),
    chip: await findLinuxClockChip({ sysfs: SYSFS, hwclock: "hwclock" }),
    wifi: createLinuxWifi({ bus, clock, ids, log }),
    backlight: createLinuxBacklight({ sysfs: SYSFS }),
    battery: createLinuxBattery({ bus, sysfs: SYSFS }),
    power: createLinuxPower({ bus, sysfs: SYSFS, clock }),
    display: createFramebufferDisplay({
      deviceFolder: "/dev",
      sysfsFolder: `${SYSFS}/class/graphics`,
      device: framebuffer,
    }),
    updater: createRaucUpdater({ busAddress: SYSTEM_BUS, clock, log }),
    boot: createLinuxBoot({ procfs: "/proc" }),
    advertiser: createLinuxAdvertiser({ bus }),
    notifier: socket === undefined ? undefined : createLinuxNotifier({ socket }),
    watchdogMs: watchdogUs === undefined ? undefined : Number(watchdogUs) / 1000,
    mountsCard: true,
    keys: () => input.keys(),
    start: (hand) => input.start(hand),
    async close() {
      await input.close();
      bus.close();
    },
  };
}

import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { ControlInput, ControlKey, ControlListener, KeyChange } from "../controls/control-input.ts";
import { createDeviceList, type InputDevice } from "./linux-input-devices.ts";
import {
  EV_KEY,
  EV_REL,
  EV_SYN,
  type EventLayout,
  type InputEvent,
  measureEventBytes,
  parseEvents,
  SYN_DROPPED,
  SYN_REPORT,
} from "./linux-input-events.ts";

export interface LinuxInputDeps {
  /** Where sysfs is mounted. */
  sysfs: string;
  /** The folder of the device files, usually /dev/input. */
  folder: string;
  layout: EventLayout;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "info" | "warn">;
}

/** A device that is open. */
interface OpenDevice {
  keys: InputDevice["keys"];
  /** Reports what has happened since the last call. Throws when the device is gone. */
  poll(): void;
  /** Reports held keys as lost, and closes the file. */
  close(): void;
}

// A blocking read would occupy one of Node's few threads for ever, so the devices are read without waiting.
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;
const POLL_MS = 40;
const LOOK_MS = 2000;
/** The rest stays in the kernel's buffer, which drops what does not fit: a faulty device costs no more than this. */
const EVENTS_BATCH_SIZE = 64;

// include/uapi/linux/input.h, EV_KEY: released, pressed, repeated by the kernel.
const KEY_CHANGES: readonly KeyChange[] = ["up", "down", "repeat"];

/** The keys and knobs that the Linux kernel offers as event devices: gpio-keys, rotary encoders, USB media keys. */
export function createLinuxInput({ sysfs, folder, layout, clock, log }: LinuxInputDeps): ControlInput {
  const listDevices = createDeviceList(sysfs, layout);
  const devices = new Map<string, OpenDevice>();
  /** Devices that could not be opened, so that each is logged once. */
  const refused = new Set<string>();
  let running: AbortController | undefined;

  function openDevice(device: InputDevice, listener: ControlListener): OpenDevice {
    const file = openSync(join(folder, device.file), OPEN_FLAGS);
    const buffer = Buffer.alloc(EVENTS_BATCH_SIZE * measureEventBytes(layout));
    const reader = createReader(device, listener);
    return {
      keys: device.keys,
      poll() {
        const size = readAvailable(file, buffer);
        if (size > 0) reader.take(parseEvents(buffer.subarray(0, size), layout));
      },
      close() {
        closeSync(file);
        reader.lose();
      },
    };
  }

  function tryOpen(device: InputDevice, listener: ControlListener): void {
    try {
      devices.set(device.id, openDevice(device, listener));
      refused.delete(device.id);
      log.info({ device: device.name }, "input device found");
    } catch (error) {
      if (!refused.has(device.id)) log.warn({ err: error, device: device.name }, "opening an input device failed");
      refused.add(device.id);
    }
  }

  async function look(listener: ControlListener, { signal }: AbortController): Promise<void> {
    const found = await listDevices();
    if (signal.aborted) return;
    const ids = new Set(found.map(({ id }) => id));
    const isGone = (id: string) => !ids.has(id);
    for (const id of [...devices.keys()].filter(isGone)) drop(id);
    for (const id of [...refused].filter(isGone)) refused.delete(id);
    for (const device of found.filter(({ id }) => !devices.has(id))) tryOpen(device, listener);
  }

  function drop(id: string): void {
    const device = devices.get(id);
    devices.delete(id);
    device?.close();
  }

  function pollAll(): void {
    for (const [id, device] of devices) {
      try {
        device.poll();
      } catch (error) {
        log.info({ err: error }, "input device removed");
        drop(id);
      }
    }
  }

  async function run(listener: ControlListener, mine: AbortController): Promise<void> {
    let lookedMs = clock.monotonicMs();
    while (!mine.signal.aborted) {
      pollAll();
      if (clock.monotonicMs() - lookedMs >= LOOK_MS) {
        lookedMs = clock.monotonicMs();
        await look(listener, mine);
      }
      await clock.sleep(POLL_MS);
    }
  }

  return {
    async start(listener) {
      if (running) return;
      const mine = new AbortController();
      running = mine;
      await look(listener, mine);
      void run(listener, mine);
      if (devices.size === 0 && refused.size > 0) {
        throw new Problem("failed", "buttons: the keys cannot be read by this user");
      }
    },

    keys() {
      return new Set<ControlKey>([...devices.values()].flatMap(({ keys }) => [...keys.values()]));
    },

    async close() {
      running?.abort();
      running = undefined;
      for (const id of devices.keys()) drop(id);
    },
  };
}

/** Returns 0 when nothing has happened. An event device has no end, so an end means that it is gone. */
function readAvailable(file: number, buffer: Buffer): number {
  try {
    const size = readSync(file, buffer, 0, buffer.length, null);
    if (size === 0) throw new Error("the input device has ended");
    return size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return 0;
    throw error;
  }
}

/** Turns the events of one device into changes of keys and turns of its knob. */
function createReader({ keys, knob }: InputDevice, listener: ControlListener) {
  const held = new Set<ControlKey>();
  let isDropping = false;
  let position: number | undefined;
  let turned = 0;

  function lose(): void {
    for (const key of held) listener.key(key, "lost");
    held.clear();
    position = undefined;
  }

  function changeKey({ code, value }: InputEvent): void {
    const key = keys.get(code);
    const change = KEY_CHANGES[value];
    // A key that was held before the device was opened is not a press.
    if (key === undefined || change === undefined || (change !== "down") !== held.has(key)) return;
    if (change === "down") held.add(key);
    if (change === "up") held.delete(key);
    listener.key(key, change);
  }

  /** An absolute knob counts to its maximum and starts again at 0, or the reverse: a leap is one step across the end. */
  function moveTo(value: number): void {
    const steps = position === undefined ? 0 : value - position;
    position = value;
    turned += Math.abs(steps) > 1 ? -Math.sign(steps) : steps;
  }

  /** The kernel has dropped events, maybe a release: no key counts as held, and the rest of the report is void. */
  function takeSync(code: number): void {
    if (code === SYN_REPORT) isDropping = false;
    if (code !== SYN_DROPPED) return;
    isDropping = true;
    lose();
  }

  function takeEvent(event: InputEvent): void {
    const { type, code, value } = event;
    if (type === EV_SYN) takeSync(code);
    if (isDropping) return;
    if (type === EV_KEY) changeKey(event);
    if (type !== knob?.type || code !== knob.axis) return;
    if (type === EV_REL) turned += Math.sign(value);
    else moveTo(value);
  }

  return {
    lose,
    take(events: readonly InputEvent[]): void {
      for (const event of events) takeEvent(event);
      if (turned !== 0) listener.turn(turned);
      turned = 0;
    },
  };
}

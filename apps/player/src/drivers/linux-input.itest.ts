import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { type FileHandle, mkdir, mkdtemp, open, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ControlBench, describeControls } from "../../testing/controls.contract.ts";
import type { ControlKey } from "../controls/control-input.ts";
import { createLinuxInput } from "./linux-input.ts";
import type { EventLayout } from "./linux-input-events.ts";

const clock = createClock();
const WIDE: EventLayout = { wordBits: 64, isLittleEndian: true };
const NARROW: EventLayout = { wordBits: 32, isLittleEndian: true };

const CODES: Readonly<Record<ControlKey, number>> = {
  volume_down: 114,
  volume_up: 115,
  setup: 141,
  next: 163,
  main: 164,
  previous: 165,
};
const VALUES = { up: 0, down: 1, repeat: 2 } as const;

/** `struct input_event`, as the kernel writes it. */
function encodeEvents(layout: EventLayout, events: readonly (readonly [number, number, number])[]): Buffer {
  const time = Buffer.alloc(layout.wordBits / 4);
  time.writeUInt32LE(1_780_000_000, 0);
  return Buffer.concat(
    events.flatMap(([type, code, value]) => {
      const rest = Buffer.alloc(8);
      rest.writeUInt16LE(type, 0);
      rest.writeUInt16LE(code, 2);
      rest.writeInt32LE(value, 4);
      return [time, rest];
    }),
  );
}

/** The kernel's bit map of some codes. */
function encodeBits(codes: readonly number[], { wordBits }: EventLayout): string {
  const bits = codes.reduce((sum, code) => sum | (1n << BigInt(code)), 0n);
  const words: string[] = [];
  for (let rest = bits; rest > 0n || words.length === 0; rest >>= BigInt(wordBits)) {
    words.unshift((rest & ((1n << BigInt(wordBits)) - 1n)).toString(16));
  }
  return words.join(" ");
}

interface Abilities {
  ev: string;
  key?: string;
  rel?: string;
  abs?: string;
}

/** A kernel whose devices are pipes: an open writer is a device that is plugged in. The links are those of sysfs. */
async function createKernel(layout: EventLayout) {
  const root = await mkdtemp(join(tmpdir(), "input-"));
  const [sysfs, folder] = [join(root, "sys"), join(root, "dev")];
  await mkdir(join(sysfs, "class/input"), { recursive: true });
  await mkdir(folder);
  const writers = new Map<number, FileHandle>();
  let plugs = 0;

  async function openPipe(number: number): Promise<void> {
    const path = join(folder, `event${number}`);
    await rm(path, { force: true });
    await promisify(execFile)("mkfifo", [path]);
    writers.set(number, await open(path, constants.O_RDWR | constants.O_NONBLOCK));
  }

  async function list(number: number, { ev, key = "0", rel = "0", abs = "0" }: Abilities): Promise<void> {
    plugs += 1;
    const device = join(sysfs, `devices/input${plugs}`);
    await mkdir(join(device, "capabilities"), { recursive: true });
    await mkdir(join(device, "id"));
    await mkdir(join(device, `event${number}`));
    await writeFile(join(device, "name"), `device ${number}\n`);
    await writeFile(join(device, "id/bustype"), "0019\n");
    for (const [name, bits] of Object.entries({ ev, key, rel, abs })) {
      await writeFile(join(device, "capabilities", name), `${bits}\n`);
    }
    await symlink("..", join(device, `event${number}`, "device"));
    await symlink(`../../devices/input${plugs}/event${number}`, join(sysfs, `class/input/event${number}`));
  }

  return {
    input: createLinuxInput({ sysfs, folder, layout, clock, log: silentLog }),
    list,
    open: openPipe,
    async plug(number: number, abilities: Abilities): Promise<void> {
      await openPipe(number);
      await list(number, abilities);
    },
    async unplug(number: number): Promise<void> {
      await rm(join(sysfs, `class/input/event${number}`));
      await writers.get(number)?.close();
      writers.delete(number);
    },
    send: async (number: number, events: readonly (readonly [number, number, number])[]) => {
      await writers.get(number)?.write(encodeEvents(layout, events));
    },
    keys: (codes: readonly number[]): Abilities => ({ ev: "3", key: encodeBits(codes, layout) }),
    async clear(): Promise<void> {
      for (const writer of writers.values()) await writer.close();
      await rm(root, { recursive: true });
    },
  };
}

async function createBench(layout: EventLayout): Promise<ControlBench> {
  const kernel = await createKernel(layout);
  await kernel.plug(0, kernel.keys(Object.values(CODES)));
  await kernel.plug(1, { ev: "5", rel: "80" });
  return {
    input: kernel.input,
    change: (key, change) =>
      kernel.send(0, [
        [1, CODES[key], VALUES[change]],
        [0, 0, 0],
      ]),
    turn: (steps) =>
      kernel.send(
        1,
        Array.from({ length: Math.abs(steps) }, () => [[2, 7, Math.sign(steps)] as const, [0, 0, 0] as const]).flat(),
      ),
    unplug: () => kernel.unplug(0),
    clear: () => kernel.clear(),
  };
}

describeControls("the keys of a Linux kernel, read by a 64-bit process", () => createBench(WIDE));
describeControls("the keys of a Linux kernel, read by a 32-bit process", () => createBench(NARROW));

async function setUp() {
  const kernel = await createKernel(WIDE);
  const seen: unknown[] = [];
  onTestFinished(async () => {
    await kernel.input.close();
    await kernel.clear();
  });
  const until = async (count: number) => {
    const deadline = clock.deadline(10_000);
    while (seen.length < count && !deadline.aborted) await clock.sleep(10);
    return seen;
  };
  const start = () =>
    kernel.input.start({ key: (key, change) => seen.push([key, change]), turn: (steps) => seen.push(steps) });
  return { kernel, seen, until, start };
}

describe("the keys of a Linux kernel", () => {
  it("the keys of a Linux kernel are found when they are plugged in later, and again after they were removed", async () => {
    const { kernel, until, start } = await setUp();
    await start();
    expect([...kernel.input.keys()]).toEqual([]);
    for (const count of [1, 2]) {
      await kernel.plug(4, kernel.keys([CODES.next]));
      const deadline = clock.deadline(10_000);
      while (!kernel.input.keys().has("next") && !deadline.aborted) await clock.sleep(20);
      await kernel.send(4, [
        [1, CODES.next, 1],
        [1, CODES.next, 0],
        [0, 0, 0],
      ]);
      expect(await until(2 * count)).toHaveLength(2 * count);
      await kernel.unplug(4);
      while (kernel.input.keys().size > 0 && !deadline.aborted) await clock.sleep(20);
      expect([...kernel.input.keys()]).toEqual([]);
    }
  });

  it("the keys of a Linux kernel may be missing: then there are none, and that is no failure", async () => {
    const input = createLinuxInput({
      sysfs: "/nonexistent",
      folder: "/nonexistent",
      layout: WIDE,
      clock,
      log: silentLog,
    });
    await input.start({ key: () => undefined, turn: () => undefined });
    expect(input.keys().size).toBe(0);
    await input.close();
  });

  it("the keys of a Linux kernel are a failure when they exist and cannot be opened, and work as soon as they can", async () => {
    const { kernel, until, start } = await setUp();
    await kernel.list(3, kernel.keys([CODES.main]));
    await expect(start()).rejects.toThrow("buttons: the keys cannot be read by this user");
    await kernel.open(3);
    const deadline = clock.deadline(10_000);
    while (kernel.input.keys().size === 0 && !deadline.aborted) await clock.sleep(20);
    await kernel.send(3, [
      [1, CODES.main, 1],
      [0, 0, 0],
    ]);
    expect(await until(1)).toEqual([["main", "down"]]);
  });

  it("the keys of a Linux kernel do not report a key that was held before the device was opened", async () => {
    const { kernel, seen, until, start } = await setUp();
    await kernel.plug(0, kernel.keys([CODES.main]));
    await start();
    await kernel.send(0, [
      [1, CODES.main, 2],
      [0, 0, 0],
      [1, CODES.main, 0],
      [0, 0, 0],
    ]);
    await kernel.send(0, [
      [1, CODES.main, 1],
      [0, 0, 0],
    ]);
    await until(1);
    await clock.sleep(200);
    expect(seen).toEqual([["main", "down"]]);
  });

  it("the keys of a Linux kernel count a held key as lost when the kernel has dropped events", async () => {
    const { kernel, until, start } = await setUp();
    await kernel.plug(0, kernel.keys([CODES.main, CODES.next]));
    await start();
    await kernel.send(0, [
      [1, CODES.main, 1],
      [0, 0, 0],
      [0, 3, 0],
      [1, CODES.next, 1],
      [0, 0, 0],
      [1, CODES.next, 1],
      [0, 0, 0],
    ]);
    expect(await until(3)).toEqual([
      ["main", "down"],
      ["main", "lost"],
      ["next", "down"],
    ]);
  });

  it("turn an absolute knob in both directions, also across its end", async () => {
    const { kernel, until, start } = await setUp();
    await kernel.plug(0, { ev: "9", abs: "1" });
    await start();
    const positions = [5, 6, 7, 23, 0, 1, 0, 23];
    for (const [count, position] of positions.entries()) {
      await kernel.send(0, [
        [3, 0, position],
        [0, 0, 0],
      ]);
      if (count > 0) await until(count);
    }
    expect(await until(7)).toEqual([1, 1, -1, 1, 1, -1, -1]);
  });

  it("the keys of a Linux kernel of a faulty device that never stops cost a bounded number of events a second", async () => {
    const { kernel, seen, start } = await setUp();
    await kernel.plug(0, { ev: "5", rel: "80" });
    await start();
    // A pipe takes up to 4,096 bytes as a whole.
    const storm = Array.from({ length: 160 }, () => [2, 7, 1] as const);
    let isOver = false;
    const storming = (async () => {
      while (!isOver) {
        await kernel.send(0, storm).catch(() => undefined);
        await clock.sleep(5);
      }
    })();
    await clock.sleep(1000);
    isOver = true;
    await storming;
    const steps = seen.reduce<number>((sum, each) => sum + (typeof each === "number" ? each : 0), 0);
    expect(seen.length).toBeLessThan(40);
    expect(steps).toBeLessThan(40 * 64);
    expect(steps).toBeGreaterThan(64);
  });
});

import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { ControlKey } from "../controls/control-input.ts";
import { EV_ABS, EV_KEY, EV_REL, type EventLayout } from "./linux-input-events.ts";

/** One input device that has something to offer. */
export interface InputDevice {
  /** Different for every plugging-in: the kernel counts its devices. */
  id: string;
  /** The name of its file below /dev/input. */
  file: string;
  name: string;
  /** By key code. */
  keys: ReadonlyMap<number, ControlKey>;
  knob: Knob | undefined;
}

/** EV_REL counts steps, EV_ABS counts positions. */
export interface Knob {
  type: typeof EV_REL | typeof EV_ABS;
  axis: number;
}

// Key codes of include/uapi/linux/input-event-codes.h.
const KEY_A = 30;
const BTN_LEFT = 0x110;
const BTN_TOUCH = 0x14a;

/** On every device, a keyboard included. */
const MEDIA_KEYS: readonly (readonly [number, ControlKey])[] = [
  [114, "volume_down"], // KEY_VOLUMEDOWN
  [115, "volume_up"], // KEY_VOLUMEUP
  [141, "setup"], // KEY_SETUP
  [163, "next"], // KEY_NEXTSONG
  [164, "main"], // KEY_PLAYPAUSE
  [165, "previous"], // KEY_PREVIOUSSONG
  [207, "main"], // KEY_PLAY
  [0x197, "next"], // KEY_NEXT
  [0x19c, "previous"], // KEY_PREVIOUS
  [0x211, "setup"], // KEY_WPS_BUTTON
];

/** A single button often has one of these codes; on a keyboard they are for typing. */
const BUTTON_KEYS: readonly (readonly [number, ControlKey])[] = [
  [28, "main"], // KEY_ENTER
  [0x100, "main"], // BTN_0
  [0x160, "main"], // KEY_OK
  [0x161, "main"], // KEY_SELECT
];

/** Bluetooth and HDMI-CEC: a key that is not on the device itself must not open pairing or erase anything. */
const REMOTE_BUSES: ReadonlySet<string> = new Set(["0005", "001e"]);

/** X, Y, Z, horizontal wheel, dial, wheel and miscellaneous: the rotary-encoder driver of the kernel may use any. */
const RELATIVE_AXES: readonly number[] = [0, 1, 2, 6, 7, 8, 9];
/** X, Y, Z, wheel and miscellaneous. */
const ABSOLUTE_AXES: readonly number[] = [0, 1, 2, 8, 0x28];
/** Finer steps of the same wheel. */
const HIGH_RESOLUTION_AXES: readonly number[] = [11, 12];

/** Lists the devices of use that are plugged in. What the kernel says about each one is read once. */
export function createDeviceList(sysfs: string, layout: EventLayout): () => Promise<InputDevice[]> {
  const folder = join(sysfs, "class/input");
  let known = new Map<string, InputDevice | undefined>();

  /** A device's place in the tree of devices, in which the kernel counts every plugging-in. */
  const findId = (file: string) => readlink(join(folder, file)).catch(() => file);

  async function describe(id: string, file: string): Promise<InputDevice | undefined> {
    const read = (path: string) => readFile(join(folder, file, "device", path), "utf8").catch(() => "");
    const paths = ["name", "id/bustype", ...["ev", "key", "rel", "abs"].map((each) => `capabilities/${each}`)];
    const texts = (await Promise.all(paths.map(read))).map((text) => text.trim());
    const [name = "", bus = "", ev = "", key = "", rel = "", abs = ""] = texts;
    const controls = chooseControls({ bus, ev, key, rel, abs }, layout);
    return controls && { id, file, name, ...controls };
  }

  return async () => {
    const names = await readdir(folder).catch(() => []);
    const found = new Map<string, InputDevice | undefined>();
    for (const file of names.filter((name) => /^event\d+$/.test(name))) {
      const id = await findId(file);
      found.set(id, known.has(id) ? known.get(id) : await describe(id, file));
    }
    known = found;
    return [...found.values()].flatMap((device) => device ?? []);
  };
}

/** What the kernel says about a device, as it writes it in sysfs. */
export interface InputAbilities {
  /** The kind of its connection, four hexadecimal digits. */
  bus: string;
  /** Bit maps of event types, keys and axes. */
  ev: string;
  key: string;
  rel: string;
  abs: string;
}

/** Returns undefined when a device has neither a key nor a knob for us. */
export function chooseControls(
  { bus, ev, key, rel, abs }: InputAbilities,
  { wordBits }: Pick<EventLayout, "wordBits">,
): Pick<InputDevice, "keys" | "knob"> | undefined {
  if (REMOTE_BUSES.has(bus)) return undefined;
  const types = parseBits(ev, wordBits);
  const readIf = (type: number, text: string) => (types.has(type) ? parseBits(text, wordBits) : new Set<number>());
  const codes = readIf(EV_KEY, key);
  const keys = chooseKeys(codes);
  const isPointer = codes.has(BTN_LEFT) || codes.has(BTN_TOUCH);
  const knob = isPointer ? undefined : chooseKnob(readIf(EV_REL, rel), readIf(EV_ABS, abs));
  return keys.size === 0 && !knob ? undefined : { keys, knob };
}

function chooseKeys(codes: ReadonlySet<number>): Map<number, ControlKey> {
  const isKeyboard = codes.has(KEY_A);
  const known = isKeyboard ? MEDIA_KEYS : [...MEDIA_KEYS, ...BUTTON_KEYS];
  return new Map(known.filter(([code]) => codes.has(code)));
}

/** A knob has one axis; a mouse, a joystick or a sensor of motion has several. */
function chooseKnob(relative: ReadonlySet<number>, absolute: ReadonlySet<number>): Knob | undefined {
  const turning = [...relative].filter((axis) => !HIGH_RESOLUTION_AXES.includes(axis));
  const counter = turning.length === 1 ? turning.find((axis) => RELATIVE_AXES.includes(axis)) : undefined;
  if (counter !== undefined) return { type: EV_REL, axis: counter };
  const place = absolute.size === 1 ? [...absolute].find((axis) => ABSOLUTE_AXES.includes(axis)) : undefined;
  return place === undefined ? undefined : { type: EV_ABS, axis: place };
}

/** The kernel writes words in hexadecimal, the most significant one first and without leading zeros. */
function parseBits(text: string, wordBits: number): Set<number> {
  const words = /^[0-9a-f ]*$/.test(text) ? text.trim().split(/ +/).toReversed() : [];
  const found = new Set<number>();
  for (const [at, word] of words.entries()) {
    const value = word === "" ? 0n : BigInt(`0x${word}`);
    for (let bit = 0; bit < wordBits; bit += 1) {
      if ((value >> BigInt(bit)) & 1n) found.add(at * wordBits + bit);
    }
  }
  return found;
}

import { expect, it } from "vitest";
import { choosePairingHints } from "./pairing.ts";

const NONE = { screen: false, console: false, sound: false, button: false };
const COMMAND = { ...NONE, console: true };
const NEW = { open: false, paired: false, expires_in_s: null, hold_s: 2, command: null };
const PAIRED = { ...NEW, paired: true };
const OPEN = { ...PAIRED, open: true, expires_in_s: 300 };

it.each([
  [
    "a new device with a screen and a button",
    { ...NEW, ways: { ...COMMAND, screen: true, button: true } },
    "scan, holdForDigits",
  ],
  ["a new device with a screen only", { ...NEW, ways: { ...NONE, screen: true } }, "scan"],
  ["a device in use with a screen", { ...PAIRED, ways: { ...COMMAND, screen: true, button: true } }, "holdForScreen"],
  ["a screen that shows digits", { ...OPEN, ways: { ...COMMAND, screen: true, button: true } }, "onScreen"],
  ["a new device without a screen", { ...NEW, ways: { ...COMMAND, sound: true, button: true } }, "holdForSound"],
  [
    "a device in use with a screen and no button",
    { ...PAIRED, ways: { ...COMMAND, screen: true } },
    "otherPhone, runCommand",
  ],
  ["a button that neither shows nor sounds", { ...NEW, ways: { ...COMMAND, button: true } }, "otherPhone, runCommand"],
  ["pairing that is switched off", { ...NEW, ways: NONE }, "otherPhone"],
])("describes only what the device supports: %s", (_device, pairing, hints) => {
  expect(choosePairingHints(pairing).join(", ")).toBe(hints);
});

import { expect, it } from "vitest";
import { choosePairingHint } from "./pairing.ts";

const NONE = { screen: false, console: false, sound: false, button: false };
const CLOSED = { open: false, paired: true, expires_in_s: null };
const OPEN = { open: true, paired: false, expires_in_s: 300 };

it.each([
  [{ ...OPEN, ways: { ...NONE, screen: true, console: true, button: true } }, "onScreen"],
  [{ ...CLOSED, ways: { ...NONE, screen: true, console: true, button: true } }, "holdForScreen"],
  [{ ...OPEN, ways: { ...NONE, console: true, sound: true, button: true } }, "holdForSound"],
  [{ ...CLOSED, ways: { ...NONE, screen: true } }, "noCode"],
  [{ ...OPEN, ways: { ...NONE, console: true } }, "onConsole"],
  [{ ...CLOSED, ways: { ...NONE, console: true, button: true } }, "holdForConsole"],
  [{ ...CLOSED, ways: { ...NONE, button: true } }, "noCode"],
  [{ ...OPEN, ways: NONE }, "noCode"],
])("promises only what the device can do: %j is %s", (pairing, hint) => {
  expect(choosePairingHint(pairing)).toBe(hint);
});

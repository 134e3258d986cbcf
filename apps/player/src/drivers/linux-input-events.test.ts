import { describe, expect, it } from "vitest";
import { chooseControls, type InputAbilities } from "./linux-input-devices.ts";
import { chooseEventLayout, parseEvents } from "./linux-input-events.ts";

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ""), "hex");

describe("the events of the kernel", () => {
  it.each([
    // KEY_PLAYPAUSE (164 is 0xa4) pressed, then SYN_REPORT, as a 64-bit and as a 32-bit process reads them.
    [
      "arm64",
      "LE",
      "e0fb196a00000000 17e4070000000000 0100 a400 01000000 e0fb196a00000000 17e4070000000000 0000 0000 00000000",
    ],
    ["arm", "LE", "e0fb196a 17e40700 0100 a400 01000000 e0fb196a 17e40700 0000 0000 00000000"],
    ["ia32", "LE", "e0fb196a 17e40700 0100 a400 01000000 e0fb196a 17e40700 0000 0000 00000000"],
    [
      "s390x",
      "BE",
      "000000006a19fbe0 000000000007e417 0001 00a4 00000001 000000006a19fbe0 000000000007e417 0000 0000 00000000",
    ],
  ] as const)("the events of the kernel are read on %s with the byte order %s", (architecture, endianness, bytes) => {
    expect(parseEvents(hex(bytes), chooseEventLayout(architecture, endianness))).toEqual([
      { type: 1, code: 164, value: 1 },
      { type: 0, code: 0, value: 0 },
    ]);
  });

  it("the events of the kernel have signed values, and an incomplete one is left out", () => {
    const bytes = hex("e0fb196a 17e40700 0200 0700 ffffffff e0fb196a 17e4");
    expect(parseEvents(bytes, { wordBits: 32, isLittleEndian: true })).toEqual([{ type: 2, code: 7, value: -1 }]);
  });
});

/** What the kernel writes in sysfs about a device on this board. */
function describeDevice(changes: Partial<InputAbilities>): InputAbilities {
  return { bus: "0019", ev: "3", key: "0", rel: "0", abs: "0", ...changes };
}

const WIDE = { wordBits: 64 } as const;
const chooseKeys = (changes: Partial<InputAbilities>, wordBits: 32 | 64 = 64) =>
  [...(chooseControls(describeDevice(changes), { wordBits })?.keys ?? [])].toSorted(([one], [other]) => one - other);

describe("an input device", () => {
  it("offers the keys of gpio-keys, with words of 64 and of 32 bits", () => {
    // Bits 164 (play and pause), 114 and 115 (volume), 141 (set-up), 163 (next), 165 (previous), 28 (enter).
    const keys = [
      [28, "main"],
      [114, "volume_down"],
      [115, "volume_up"],
      [141, "setup"],
      [163, "next"],
      [164, "main"],
      [165, "previous"],
    ];
    expect(chooseKeys({ key: "3800002000 c000000000000 10000000" })).toEqual(keys);
    expect(chooseKeys({ key: "38 2000 c0000 0 0 10000000" }, 32)).toEqual(keys);
  });

  it.each([
    ["a relative encoder", { ev: "5", rel: "80" }, { type: 2, axis: 7 }],
    ["a relative encoder on X", { ev: "5", rel: "1" }, { type: 2, axis: 0 }],
    ["an absolute encoder", { ev: "9", abs: "1" }, { type: 3, axis: 0 }],
  ])("an input device is a knob: %s", (_what, abilities, knob) => {
    expect(chooseControls(describeDevice(abilities), WIDE)).toMatchObject({ knob });
  });

  it.each([
    ["a mouse", { ev: "17", key: "70000 0 0 0 0", rel: "903" }],
    ["a touch screen", { ev: "b", key: "400 0 0 0 0 0", abs: "1" }],
    ["a sensor of motion", { ev: "9", abs: "7" }],
    ["a power button", { ev: "3", key: "10000000000000 0" }],
    ["a lid", { ev: "21" }],
    ["one without events", { ev: "0", key: "1000000000 0 0" }],
    ["one that the kernel does not describe", { ev: "", key: "", bus: "" }],
    ["one with a damaged description", { ev: "zz", key: "0x10", rel: "-1" }],
  ])("ignores an unusable device: %s", (_what, abilities) => {
    expect(chooseControls(describeDevice(abilities), WIDE)).toBeUndefined();
  });

  it("offers the media keys of a keyboard, but not the keys for typing", () => {
    // Bits 28 (enter), 30 (a), 115 (volume up) and 164 (play and pause).
    expect(chooseKeys({ bus: "0003", ev: "120013", key: "1000000000 8000000000000 50000000" })).toEqual([
      [115, "volume_up"],
      [164, "main"],
    ]);
  });

  it.each([
    ["Bluetooth", "0005"],
    ["HDMI-CEC", "001e"],
  ])("ignores a device that is not part of the player: %s", (_what, bus) => {
    expect(chooseControls(describeDevice({ bus, key: "1000000000 0 0" }), WIDE)).toBeUndefined();
  });
});

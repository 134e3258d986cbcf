import { expect, it } from "vitest";
import {
  connectRequest,
  decodeConnection,
  decodeContext,
  decodeReaders,
  decodeResponseSize,
  decodeVersion,
  disconnectRequest,
  encodeMessage,
  establishRequest,
  isSuccess,
  READERS_BYTES,
  releaseRequest,
  transmitRequest,
  versionRequest,
} from "./pcsc-messages.ts";

// All values are taken from winscard_msg.h and eventhandler.h of pcsc-lite 1.9.9.
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

it.each([
  ["a wait without a body", encodeMessage(0x13), "00000000 13000000"],
  ["version 4:4", versionRequest(4, 4), "0c000000 11000000 04000000 04000000 00000000"],
  ["a context of the system", establishRequest(), "0c000000 01000000 02000000 00000000 00000000"],
  ["the end of a context", releaseRequest(0x7a2b3c4d), "08000000 02000000 4d3c2b7a 00000000"],
  ["the end of a card", disconnectRequest(0x11223344), "0c000000 06000000 44332211 00000000 00000000"],
  [
    "a command for a card",
    transmitRequest(0x11223344, 2, hex("ffca000000")),
    "20000000 09000000 44332211 02000000 10000000 05000000 03000000 10000000 02010000 00000000 ffca000000",
  ],
])("encodes %s", (_, message, expected) => {
  expect(message).toEqual(hex(expected));
});

it("encodes a connection with the reader's name in its 128 bytes", () => {
  const message = connectRequest(0x7a2b3c4d, "Virtual PCD 00 00");
  expect(message).toHaveLength(8 + 152);
  expect(message.subarray(0, 12)).toEqual(hex("98000000 04000000 4d3c2b7a"));
  expect(message.subarray(12, 12 + 18).toString("latin1")).toBe("Virtual PCD 00 00\0");
  expect(message.subarray(140)).toEqual(hex("02000000 03000000 00000000 00000000 00000000"));
});

it("truncates a long name where pcscd truncates it", () => {
  const message = connectRequest(1, "x".repeat(500));
  expect(message).toHaveLength(8 + 152);
  expect(message[12 + 126]).toBe("x".charCodeAt(0));
  expect(message[12 + 127]).toBe(0);
});

it("decodes the answers", () => {
  expect(decodeVersion(hex("04000000 05000000 1e001080"))).toEqual({ major: 4, minor: 5 });
  expect(isSuccess(hex("04000000 05000000 1e001080"))).toBe(false);
  expect(isSuccess(hex("04000000 04000000 00000000"))).toBe(true);
  expect(decodeContext(hex("02000000 4d3c2b7a 00000000"))).toBe(0x7a2b3c4d);
  const connected = Buffer.concat([Buffer.alloc(140), hex("44332211 02000000 00000000")]);
  expect(decodeConnection(connected)).toEqual({ card: 0x11223344, protocol: 2 });
  expect(decodeResponseSize(hex("44332211 02000000 10000000 05000000 03000000 10000000 09000000 00000000"))).toBe(9);
});

it("decodes the readers from their sixteen slots of 184 bytes", () => {
  const places = Buffer.alloc(2944);
  places.write("Virtual PCD 00 00", 0);
  places.set(hex("03000000 34000000"), 128);
  places.write("y".repeat(128), 184);
  places.set(hex("00000000 02000000"), 184 + 128);
  expect(READERS_BYTES).toBe(2944);
  expect(decodeReaders(places)).toEqual([
    { name: "Virtual PCD 00 00", eventCounter: 3, isCardPresent: true },
    { name: "y".repeat(128), eventCounter: 0, isCardPresent: false },
  ]);
});

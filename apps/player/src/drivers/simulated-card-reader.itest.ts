import { expect, it } from "vitest";
import { describeCardReader } from "../../testing/card-reader.contract.ts";
import { createSimulatedCardReader } from "./simulated-card-reader.ts";

describeCardReader("simulated card reader", () => {
  const reader = createSimulatedCardReader();
  return Promise.resolve({
    reader,
    place: reader.tap,
    remove: reader.lift,
    breakDown: () => Promise.resolve(reader.unplug()),
    repair: () => Promise.resolve(reader.plugIn()),
    clear: () => Promise.resolve(),
  });
});

it("refuses a tap with an invalid UID", () => {
  expect(() => createSimulatedCardReader().tap("hello")).toThrow("tap: must be 4, 7 or 10 bytes in hexadecimal");
});

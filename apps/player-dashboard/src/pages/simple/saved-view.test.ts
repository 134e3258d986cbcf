import { expect, it } from "vitest";
import { parseVolumeLimit } from "./saved-view.ts";

it.each([
  [undefined, 100, 70],
  ["40", 100, 40],
  ["90", 60, 60],
  ["0", 100, 0],
  ["loud", 100, 70],
  ["-5", 100, 70],
  ["1e3", 100, 70],
  ["999", 80, 80],
])("reads a stored limit of %j on a device with the maximum %i as %i", (kept, maxVolume, limit) => {
  expect(parseVolumeLimit(kept, maxVolume)).toBe(limit);
});

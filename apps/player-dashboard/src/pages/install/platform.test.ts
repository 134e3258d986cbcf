import { expect, it } from "vitest";
import { detectPlatform } from "./platform.ts";

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.0 Safari/605.1.15";

it.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15", true, "iphone"],
  [MAC, true, "iphone"],
  [MAC, false, "mac"],
  ["Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/131.0 Mobile Safari/537.36", true, "android"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0", true, "windows"],
  ["Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0", false, "linux"],
  ["", false, "linux"],
])("detects %j (touch: %s) as %s", (userAgent, hasTouch, platform) => {
  expect(detectPlatform(userAgent, hasTouch)).toBe(platform);
});

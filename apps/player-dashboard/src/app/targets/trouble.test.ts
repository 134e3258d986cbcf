import { describe, expect, it } from "vitest";
import { ApiError } from "../api/api-client.ts";
import { refusalWords } from "./refusal-words.ts";
import { findTrouble } from "./trouble.ts";

describe("what the device refuses", () => {
  it.each([
    ["url: must lead to a public address", "private"],
    ["target.url: must lead to a public or private address, not to this device or a reserved one", "private"],
    ["url: must start with http:// or https:// and a host", "scheme"],
    ["url: must not contain credentials", "credentials"],
    ["url: must not contain spaces, control characters or backslashes", "spaces"],
    ["url: must be a valid URL", "malformed"],
    ["url: must have a valid host name, without a dot at its end", "malformed"],
    ["url: must be at most 1024 characters", "long"],
    ["stations: there are 100 already, and no more can be kept", "full"],
    ["target.id: station '8' does not exist", "gone"],
    ["binding.path: there is no such file or folder on the card", "file"],
    ["binding.mode.ab.from: must not be greater than ab.to", "range"],
    ["days: must be an integer from 1 to 127", undefined],
  ])("recognises %s as %s", (message, trouble) => {
    expect(findTrouble(message)).toBe(trouble);
  });

  it("is shown in plain words", () => {
    const error = new ApiError(400, "url: must start with http:// or https:// and a host");
    expect(refusalWords(error, "en")).toMatch(/^The address must start with/);
    expect(refusalWords(error, "ar")).toMatch(/^يجب أن يبدأ العنوان/);
  });

  it("is shown in the device's own words when it is unknown, and as no answer when there was none", () => {
    expect(refusalWords(new ApiError(400, "days: must be an integer"), "en")).toContain("days: must be an integer");
    expect(refusalWords(new ApiError(0, "path: failed"), "en")).not.toContain("card");
  });
});

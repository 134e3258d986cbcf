import { describe, expect, it } from "vitest";
import { ApiError } from "../api/api-client.ts";
import { refusalWords } from "./refusal-words.ts";
import { findTrouble } from "./trouble.ts";

describe("what the device refuses", () => {
  it.each([
    ["address_forbidden", "url", "private"],
    ["scheme_forbidden", "target.url", "scheme"],
    ["credentials_forbidden", "url", "credentials"],
    ["characters_forbidden", "binding.url", "spaces"],
    ["characters_forbidden", "name", undefined],
    ["url_malformed", "url", "malformed"],
    ["url_too_long", "url", "long"],
    ["storage_limit", "stations", "full"],
    ["target_missing", "target.id", "gone"],
    ["file_missing", "target", "file"],
    ["file_missing", "binding.path", "file"],
    [undefined, "path", "file"],
    [undefined, "adhan.fajr_path", "file"],
    [undefined, "binding.mode.ab.from", "range"],
    [undefined, "days", undefined],
    [undefined, undefined, undefined],
  ])("recognises the code %s of the field %s as %s", (code, field, trouble) => {
    expect(findTrouble({ status: 400, code, field })).toBe(trouble);
    expect(findTrouble({ status: 500, code, field })).toBe(undefined);
  });

  it("is shown in plain words", () => {
    const error = new ApiError(400, "url: must …", { field: "url", code: "scheme_forbidden" });
    expect(refusalWords(error, "en")).toMatch(/^The address must start with/);
    expect(refusalWords(error, "ar")).toMatch(/^يجب أن يبدأ العنوان/);
  });

  it("is shown in the device's own words when it is unknown, and as no answer when there was none", () => {
    expect(refusalWords(new ApiError(400, "days: must be an integer"), "en")).toContain("days: must be an integer");
    expect(refusalWords(new ApiError(0, "path: failed"), "en")).not.toContain("card");
  });
});

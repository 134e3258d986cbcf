import { describe, expect, it } from "vitest";
import { ApiError } from "./api-client.ts";
import { errorWords } from "./error-words.ts";
import { findTrouble } from "./trouble.ts";

describe("what the device refuses", () => {
  it.each([
    ["address_forbidden", "url", "private"],
    ["scheme_forbidden", "target.url", "scheme"],
    ["credentials_forbidden", "url", "credentials"],
    ["characters_forbidden", "binding.url", "spaces"],
    ["characters_forbidden", "name", "characters"],
    ["url_malformed", "url", "malformed"],
    ["url_too_long", "url", "long"],
    ["storage_limit", "stations", "full"],
    ["target_missing", "target.id", "gone"],
    ["file_missing", "target", "file"],
    ["file_missing", "binding.path", "file"],
    [undefined, "path", "file"],
    [undefined, "adhan.fajr_path", "file"],
    [undefined, "binding.mode.ab.from", "range"],
    [undefined, "position", "position"],
    [undefined, "surah_number", "noOther"],
    [undefined, "battery", "battery"],
    [undefined, "days", "input"],
    [undefined, undefined, "input"],
  ])("recognises the code %s of the field %s as %s", (code, field, trouble) => {
    expect(findTrouble({ status: 400, code, field })).toBe(trouble);
    expect(findTrouble({ status: 500, code, field })).toBe("part");
    expect(findTrouble({ status: 404, code, field })).toBe("gone");
  });

  it("describes every refusal in plain words", () => {
    const error = new ApiError(400, "url: must …", { field: "url", code: "scheme_forbidden" });
    expect(errorWords(error, "en")).toMatch(/^The address must start with/);
    expect(errorWords(error, "ar")).toMatch(/^يجب أن يبدأ العنوان/);
  });
});

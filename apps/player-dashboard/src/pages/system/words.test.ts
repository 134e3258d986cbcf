import { describe, expect, it } from "vitest";
import { ApiError } from "../../app/api/api-client.ts";
import { systemPhrases } from "./system-phrases.ts";
import { failedReadingWords, failureWords, memoryWords, storageWords, uptimeWords } from "./words.ts";

const { en: english, ar: arabic } = systemPhrases;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const nvs = { used_entries: 12, free_entries: 1988, total_entries: 2000, bytes: 20_480 };

describe("uptime", () => {
  it.each([
    [0, "less than a minute"],
    [59, "less than a minute"],
    [MINUTE, "1 minute"],
    [2 * MINUTE + 59, "2 minutes"],
    [HOUR, "1 hour"],
    [HOUR + MINUTE, "1 hour and 1 minute"],
    [23 * HOUR + 59 * MINUTE + 59, "23 hours and 59 minutes"],
    [DAY, "1 day"],
    [DAY + 59 * MINUTE, "1 day"],
    [3 * DAY + 4 * HOUR + 5 * MINUTE, "3 days and 4 hours"],
    [1200 * DAY, "1,200 days"],
  ])("formats an uptime of %i s in English as %s", (seconds, words) => {
    expect(uptimeWords(seconds, english)).toBe(words);
  });

  it.each([
    [59, "أقل من دقيقة"],
    [MINUTE, "دقيقة واحدة"],
    [2 * MINUTE, "دقيقتان"],
    [3 * MINUTE, "٣ دقائق"],
    [10 * MINUTE, "١٠ دقائق"],
    [11 * MINUTE, "١١ دقيقة"],
    [HOUR + 2 * MINUTE, "ساعة واحدة ودقيقتان"],
    [2 * HOUR + 11 * MINUTE, "ساعتان و١١ دقيقة"],
    [DAY + 2 * HOUR, "يوم واحد وساعتان"],
    [2 * DAY + 3 * HOUR, "يومان و٣ ساعات"],
    [10 * DAY, "١٠ أيام"],
    [11 * DAY, "١١ يومًا"],
    [99 * DAY, "٩٩ يومًا"],
    [100 * DAY, "١٠٠ يوم"],
    [103 * DAY, "١٠٣ أيام"],
  ])("formats an uptime of %i s in Arabic as %s", (seconds, words) => {
    expect(uptimeWords(seconds, arabic)).toBe(words);
  });
});

describe("storage", () => {
  it("reports whether storage is sufficient or almost full", () => {
    expect(storageWords(nvs, english)).toBe("Enough space");
    expect(storageWords({ ...nvs, used_entries: 1800, free_entries: 200 }, english)).toBe("Almost full: 90% used");
    expect(storageWords({ ...nvs, used_entries: 1800, free_entries: 200 }, arabic)).toBe("يكاد يمتلئ: استُعمل ٩٠٪");
  });
});

describe("memory", () => {
  it("reports whether memory is sufficient or low", () => {
    expect(memoryWords(21 * 1024 ** 3, english)).toBe("Enough");
    expect(memoryWords(20 * 1024 ** 2, english)).toBe("Low. Restart the player if it is slow.");
  });
});

describe("a part that did not start", () => {
  it.each([
    ["nfc-pn532", "The card reader did not start"],
    ["AUDIO", "The sound output did not start"],
    ["rtc_ds3231", "The clock chip did not start"],
    ["constructor", "The part “constructor” did not start"],
    ["", "The part “” did not start"],
  ])("explains the part behind the component '%s'", (component, words) => {
    expect(failureWords(component, english).didNotStart).toBe(words);
  });
});

describe("a failed reading", () => {
  it.each([
    ["says that the player does not answer", new ApiError(0, "Failed to fetch"), "The player is not responding."],
    ["says the same of an answer that is not the player's", new ApiError(200, ""), "The player is not responding."],
    ["says why the player refused", new ApiError(429, "too many requests"), "Too many taps. Try again in 1 s."],
  ])("describes a failed reading: %s", (_what, error, words) => {
    expect(failedReadingWords(error, english)).toBe(words);
  });
});

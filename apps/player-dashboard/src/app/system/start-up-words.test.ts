import { describe, expect, it } from "vitest";
import { startUpWords } from "./start-up-words.ts";

const nvs = { used_entries: 12, free_entries: 1988, total_entries: 2000, bytes: 20_480 };
const healthy = { version: "1.0.0", uptime: 5, free_heap: 1, nvs, boot_failures: [], warnings: [] };
const broken = { component: "audio", error: "no such device" };

describe("start-up", () => {
  it.each([
    [{ ...healthy }, "All parts started", "جميع الأجزاء تعمل"],
    [{ ...healthy, warnings: ["low power"] }, "1 warning", "تنبيه واحد"],
    [{ ...healthy, boot_failures: [broken], warnings: ["low power"] }, "1 part did not start", "تعذّر تشغيل جزء واحد"],
    [{ ...healthy, boot_failures: [broken, broken] }, "2 parts did not start", "تعذّر تشغيل جزأين"],
    [{ ...healthy, boot_failures: [broken, broken, broken] }, "3 parts did not start", "تعذّر تشغيل ٣ أجزاء"],
  ])("reports the most serious problem (%#)", (system, inEnglish, inArabic) => {
    expect(startUpWords(system, "en")).toBe(inEnglish);
    expect(startUpWords(system, "ar")).toBe(inArabic);
  });
});

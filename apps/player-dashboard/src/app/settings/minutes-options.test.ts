import { expect, it } from "vitest";
import { minutesOptions } from "./minutes-options.ts";

const words = {
  zero: "never",
  minutes: { one: "# minute", other: "# minutes" },
  hours: { one: "# hour", other: "# hours" },
};

it("offers the usual durations, with never as the last one", () => {
  expect(minutesOptions([30, 60], 0, words, "en")).toEqual([
    { value: "30", label: "30 minutes" },
    { value: "60", label: "1 hour" },
    { value: "0", label: "never" },
  ]);
});

it("includes a duration that was set elsewhere", () => {
  expect(minutesOptions([30, 60], 45, words, "en").map(({ label }) => label)).toEqual([
    "30 minutes",
    "45 minutes",
    "1 hour",
    "never",
  ]);
});

import { expect, it } from "vitest";
import { untilWords } from "./until-words.ts";

it.each([
  [8100, "in 2 hours and 15 minutes", "بعد ساعتين و١٥ دقيقة"],
  [3600, "in 1 hour", "بعد ساعة"],
  [3660, "in 1 hour and 1 minute", "بعد ساعة ودقيقة"],
  [11_000, "in 3 hours and 3 minutes", "بعد ٣ ساعات و٣ دقائق"],
  [125, "in 2 minutes", "بعد دقيقتين"],
  [59, "in less than a minute", "بعد أقل من دقيقة"],
  [-5, "in less than a minute", "بعد أقل من دقيقة"],
])("writes %i seconds as %j", (seconds, english, arabic) => {
  expect([untilWords(seconds, "en"), untilWords(seconds, "ar")]).toEqual([english, arabic]);
});

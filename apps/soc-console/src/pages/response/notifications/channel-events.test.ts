import { expect, it } from "vitest";
import { joinEvents, splitEvents } from "./channel-events.ts";

it("splits nouns from custom events, and joins them again", () => {
  const events = ["approval.*", "case.created", "alert.reopened"];
  const split = splitEvents(events);
  expect(split).toEqual({ nouns: ["approval"], single: "case.created alert.reopened" });
  expect(joinEvents(split)).toEqual({ events, wrong: [] });
});

it("accepts spaces, commas and line breaks between events, and removes duplicates", () => {
  expect(joinEvents({ nouns: [], single: " case.created,case.closed\ncase.created " }).events).toEqual([
    "case.created",
    "case.closed",
  ]);
});

// docs/api/soc.md: nouns that every role with permission to create channels may read; users and hunts are excluded.
it("reports words that are not events of a channel", () => {
  const { wrong } = joinEvents({ nouns: [], single: "user.created case case.Created hunt.run approval.*" });
  expect(wrong).toEqual(["user.created", "case", "case.Created", "hunt.run"]);
});

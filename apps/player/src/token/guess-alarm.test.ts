import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { expect, it } from "vitest";
import { createEvents, type PlayerEvent } from "../events.ts";
import { createGuessAlarm } from "./guess-alarm.ts";

function watchAlarm() {
  const clock = createFakeClock();
  const events = createEvents();
  const seen: PlayerEvent[] = [];
  events.onEvent((event) => seen.push(event));
  const lines: string[] = [];
  const log = { ...silentLog, warn: (_fields: object, message: string) => lines.push(message) };
  const countWrongToken = createGuessAlarm({ clock, log, events });
  const guess = async (count: number, everyMs = 0) => {
    for (let i = 0; i < count; i += 1) {
      countWrongToken();
      await clock.advance(everyMs);
    }
  };
  return { clock, seen, lines, guess };
}

it("stays silent for ten wrong tokens a minute", async () => {
  const { seen, lines, guess } = watchAlarm();
  await guess(50, 6000);
  expect([seen, lines]).toEqual([[], []]);
});

it("raises one log line and one event for the eleventh within a minute", async () => {
  const { seen, lines, guess } = watchAlarm();
  await guess(11, 5999);
  const message = "more than 10 requests with a wrong token or code within a minute";
  expect(seen).toEqual([{ type: "error", data: { code: "token", message } }]);
  expect(lines).toEqual(["wrong tokens"]);
});

it("repeats once a minute as long as it continues", async () => {
  const { seen, lines, guess } = watchAlarm();
  await guess(1800, 100);
  expect(seen).toHaveLength(3);
  expect(lines).toHaveLength(3);
});

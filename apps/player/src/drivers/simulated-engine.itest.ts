import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { describeAudioEngine, fileSource, recordEvents } from "../../testing/audio-engine.contract.ts";
import { LONG_FILE, makeSounds } from "../../testing/sounds.ts";
import { createSimulatedEngine } from "./simulated-engine.ts";

describeAudioEngine("simulated engine", () => createSimulatedEngine({ clock: createClock() }));

it("runs at the speed of the given clock", async () => {
  const sounds = await makeSounds();
  const clock = createFakeClock();
  const engine = createSimulatedEngine({ clock });
  const recorder = recordEvents(engine);
  engine.load(fileSource(sounds.path(LONG_FILE)));
  while (recorder.events.length === 0) await clock.advance(0);
  await clock.advance(19_000);
  expect(engine.place().positionMs).toBe(19_000);
  expect(recorder.types()).toEqual(["flowing"]);
  await clock.advance(1500);
  expect(recorder.types()).toEqual(["flowing", "ended"]);
  await sounds.remove();
});

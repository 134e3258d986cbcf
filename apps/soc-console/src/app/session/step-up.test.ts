import { expect, it } from "vitest";
import { createStepUp } from "./step-up.ts";

it("resolves all waiting requests with the same result", async () => {
  const stepUp = createStepUp();
  let calls = 0;
  stepUp.subscribe(() => {
    calls += 1;
  });
  const [first, second] = [stepUp.ask(), stepUp.ask()];
  expect(stepUp.read()).toBe(true);
  stepUp.finish(true);
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect([stepUp.read(), calls]).toEqual([false, 3]);
  const third = stepUp.ask();
  stepUp.finish(false);
  expect(await third).toBe(false);
});

import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it } from "vitest";
import { createCardGate } from "./card-gate.ts";

/** Work on a card whose completion the test controls. */
function setUp() {
  const clock = createFakeClock();
  const gate = createCardGate({ clock, maxWaitMs: 2000 });
  const begun: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const work = () =>
    new Promise<string>((resolve, reject) => {
      begun.push({ answer: resolve, fail: reject });
    });
  const run = () =>
    gate.run(work).then(
      (value) => value,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  return { clock, begun, run };
}

const HANGS = "path: the card does not answer";

describe("the gate to the memory card", () => {
  it("passes the answer on, or the refusal", async () => {
    const { clock, begun, run } = setUp();
    const good = run();
    await clock.advance(0);
    begun[0]?.answer("a file");
    expect(await good).toBe("a file");
    const bad = run();
    await clock.advance(0);
    begun[1]?.fail(new Error("no such file"));
    expect(await bad).toBe("no such file");
  });

  it("gives up after two seconds, and then refuses at once until the card answers", async () => {
    const { clock, begun, run } = setUp();
    const first = run();
    await clock.advance(1000);
    const second = run();
    await clock.advance(999);
    expect(begun).toHaveLength(1);
    await clock.advance(1001);
    expect(await Promise.all([first, second, run(), run()])).toEqual([HANGS, HANGS, HANGS, HANGS]);
    expect(begun).toHaveLength(1);
    begun[0]?.answer("late");
    await clock.advance(0);
    const third = run();
    await clock.advance(0);
    begun[1]?.answer("again");
    expect(await third).toBe("again");
    expect(begun).toHaveLength(2);
  });

  it("runs one piece of work at a time", async () => {
    const { clock, begun, run } = setUp();
    const both = [run(), run()];
    await clock.advance(0);
    expect(begun).toHaveLength(1);
    begun[0]?.answer("one");
    await clock.advance(0);
    begun[1]?.answer("two");
    expect(await Promise.all(both)).toEqual(["one", "two"]);
  });
});

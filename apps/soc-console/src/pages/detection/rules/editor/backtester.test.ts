import { expect, it } from "vitest";
import { type BacktestState, createBacktester, TYPING_MS } from "./backtester.ts";

type Pending = { text: string; span: string; signal: AbortSignal; answer: (result: string) => void; fail: () => void };

/** The test controls time and responses. */
function setUp() {
  const timers: { delayMs: number; task: () => void; isCancelled: boolean }[] = [];
  const asked: Pending[] = [];
  const states: BacktestState<string, string>[] = [];
  const tester = createBacktester<string, string, string>({
    after: (delayMs, task) => {
      const timer = { delayMs, task, isCancelled: false };
      timers.push(timer);
      return () => {
        timer.isCancelled = true;
      };
    },
    run: (text, span, signal) =>
      new Promise((answer, reject) => {
        asked.push({ text, span, signal, answer, fail: () => reject(new Error("refused")) });
      }),
    onState: (state) => states.push(state),
  });
  const pause = () => {
    for (const timer of timers.splice(0)) if (!timer.isCancelled) timer.task();
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { tester, timers, asked, states, pause, settle, last: () => states.at(-1) };
}

it("starts 400 ms after the last key press", () => {
  const { tester, timers, asked, pause } = setUp();
  for (const text of ["h", "ho", "hos"]) tester.test(text, ["24h"]);
  expect(TYPING_MS).toBe(400);
  expect(timers.map(({ delayMs, isCancelled }) => [delayMs, isCancelled])).toEqual([
    [400, true],
    [400, true],
    [400, false],
  ]);
  pause();
  expect(asked.map(({ text }) => text)).toEqual(["hos"]);
});

it("tests the short span first and then the selected one", async () => {
  const { tester, asked, pause, settle, last } = setUp();
  tester.test("x", ["24h", "7d"]);
  pause();
  expect(asked.map(({ span }) => span)).toEqual(["24h"]);
  asked[0]?.answer("3");
  await settle();
  expect(last()).toEqual({ isBusy: true, isEarlier: false, found: { span: "24h", result: "3" }, error: undefined });
  asked[1]?.answer("61");
  await settle();
  expect(last()).toEqual({ isBusy: false, isEarlier: false, found: { span: "7d", result: "61" }, error: undefined });
});

it("aborts the previous test, whose response never replaces a newer one", async () => {
  const { tester, asked, pause, settle, last } = setUp();
  tester.test("old", ["24h"]);
  pause();
  tester.test("new", ["24h"]);
  expect(asked[0]?.signal.aborted).toBe(true);
  pause();
  asked[1]?.answer("new");
  await settle();
  asked[0]?.answer("old");
  await settle();
  expect(last()?.found?.result).toBe("new");
});

it("reports why a test failed, and keeps the previous result", async () => {
  const { tester, asked, pause, settle, last } = setUp();
  tester.test("a", ["24h"]);
  pause();
  asked[0]?.answer("1");
  await settle();
  tester.test("a(", ["24h"]);
  pause();
  asked[1]?.fail();
  await settle();
  expect(last()).toEqual({
    ...{ isBusy: false, isEarlier: true, found: { span: "24h", result: "1" } },
    error: new Error("refused"),
  });
});

it("clears the result when there is nothing to test", async () => {
  const { tester, asked, pause, settle, last } = setUp();
  tester.test("a", ["24h"]);
  pause();
  asked[0]?.answer("1");
  await settle();
  tester.test(undefined, ["24h"]);
  expect(last()).toEqual({ isBusy: false, isEarlier: false, found: undefined, error: undefined });
});

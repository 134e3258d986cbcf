import { describe, expect, it } from "vitest";
import { startPoll } from "./poll.ts";

function fakePage() {
  const target = new EventTarget();
  return {
    visibilityState: "visible" as DocumentVisibilityState,
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    show(state: DocumentVisibilityState) {
      this.visibilityState = state;
      target.dispatchEvent(new Event("visibilitychange"));
    },
  };
}

function fakeTimer() {
  const timer = { tick: (): void => undefined, isRunning: false };
  const every = (_periodMs: number, task: () => void) => {
    timer.tick = task;
    timer.isRunning = true;
    return () => {
      timer.isRunning = false;
    };
  };
  return { timer, every };
}

function started() {
  const page = fakePage();
  const { timer, every } = fakeTimer();
  const asked: (() => void)[] = [];
  const task = () => new Promise<void>((resolve) => asked.push(resolve));
  const poll = startPoll({ page, every, periodMs: 10_000, task });
  /** Ends the latest task and lets the poll see it. */
  const answer = async () => {
    asked.at(-1)?.();
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { page, timer, asked, poll, answer };
}

describe("poll", () => {
  it("runs immediately and after each period", async () => {
    const { timer, asked, answer } = started();
    expect(asked).toHaveLength(1);
    await answer();
    timer.tick();
    expect(asked).toHaveLength(2);
  });

  it("never runs twice at the same time", () => {
    const { timer, asked, poll } = started();
    timer.tick();
    poll.now();
    expect(asked).toHaveLength(1);
  });

  it("does not run while the page is hidden, and runs as soon as it is visible again", async () => {
    const { page, timer, asked, answer } = started();
    await answer();
    page.show("hidden");
    timer.tick();
    expect(asked).toHaveLength(1);
    page.show("visible");
    expect(asked).toHaveLength(2);
  });

  it("releases the timer and the page when stopped", async () => {
    const { page, timer, asked, poll, answer } = started();
    await answer();
    poll.stop();
    page.show("visible");
    expect(timer.isRunning).toBe(false);
    expect(asked).toHaveLength(1);
  });
});

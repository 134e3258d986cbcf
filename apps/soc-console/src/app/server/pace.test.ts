import { describe, expect, it } from "vitest";
import { createPace, type Priority } from "./pace.ts";

/** A manually advanced clock. */
function startPace() {
  let nowMs = 0;
  const tasks = new Set<{ atMs: number; task: () => void }>();
  const pace = createPace({
    nowMs: () => nowMs,
    after: (delayMs, task) => {
      const entry = { atMs: nowMs + delayMs, task };
      tasks.add(entry);
      return () => tasks.delete(entry);
    },
  });
  const order: string[] = [];
  return {
    pace,
    order,
    ask: (priority: Priority, name: string, signal?: AbortSignal) =>
      pace.take(priority, signal).then(
        () => order.push(name),
        () => order.push(`${name} left`),
      ),
    goOn: async (ms: number) => {
      nowMs += ms;
      for (const entry of [...tasks]) {
        if (entry.atMs > nowMs) continue;
        tasks.delete(entry);
        entry.task();
      }
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe("the pace of requests", () => {
  it("never sends more than 90 requests in a minute", async () => {
    const { ask, order, goOn, pace } = startPace();
    for (let count = 0; count < 100; count += 1) void ask("user", "a");
    await goOn(0);
    expect(order).toHaveLength(90);
    expect(pace.read()).toEqual({ waiting: 10, resumesAtMs: 60_000 });
    await goOn(59_999);
    expect(order).toHaveLength(90);
    await goOn(1);
    expect(order).toHaveLength(100);
    expect(pace.read()).toEqual({ waiting: 0, resumesAtMs: undefined });
  });

  it("sends requests that a user waits for first after the service refused one", async () => {
    const { ask, order, goOn, pace } = startPace();
    pace.block(12);
    void ask("prefetch", "prefetch");
    void ask("visible", "visible");
    void ask("user", "user");
    await goOn(11_999);
    expect(order).toEqual([]);
    await goOn(1);
    expect(order).toEqual(["user", "visible", "prefetch"]);
  });

  it("reserves the rest of the service's limit for user actions", async () => {
    const { ask, order, goOn, pace } = startPace();
    pace.note(3, 20);
    void ask("prefetch", "prefetch");
    void ask("visible", "visible");
    void ask("user", "user");
    await goOn(0);
    expect(order).toEqual(["user"]);
    await goOn(20_000);
    expect(order).toEqual(["user", "visible", "prefetch"]);
  });

  it("drops aborted requests", async () => {
    const { ask, order, goOn, pace } = startPace();
    const leaving = new AbortController();
    pace.block(1);
    void ask("visible", "old", leaving.signal);
    void ask("visible", "new");
    leaving.abort();
    await goOn(1000);
    expect(order).toEqual(["old left", "new"]);
  });
});

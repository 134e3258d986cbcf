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
  it("sends what the service says is left, and the rest when the window of the service ends", async () => {
    const { ask, order, goOn, pace } = startPace();
    pace.note({ limit: 100, remaining: 4, resetSeconds: 20 });
    for (let count = 0; count < 6; count += 1) void ask("user", "a");
    await goOn(0);
    expect(order).toHaveLength(4);
    expect(pace.read()).toEqual({ waiting: 2, resumesAtMs: 20_000 });
    await goOn(19_999);
    expect(order).toHaveLength(4);
    await goOn(1);
    expect(order).toHaveLength(6);
    expect(pace.read()).toEqual({ waiting: 0, resumesAtMs: undefined });
  });

  it("follows the configured limit, and sends no more than one window of it before the next response", async () => {
    const { ask, order, goOn, pace } = startPace();
    pace.note({ limit: 100_000, remaining: 99_999, resetSeconds: 60 });
    for (let count = 0; count < 200; count += 1) void ask("visible", "a");
    await goOn(0);
    expect(order).toHaveLength(200);
    pace.note({ limit: 20, remaining: 0, resetSeconds: 10 });
    for (let count = 0; count < 30; count += 1) void ask("user", "b");
    await goOn(10_000);
    expect(order).toHaveLength(220);
    expect(pace.read()).toEqual({ waiting: 10, resumesAtMs: 70_000 });
  });

  it("does not hold back prefetches forever when the limit is low", async () => {
    const { ask, order, goOn, pace } = startPace();
    pace.note({ limit: 20, remaining: 0, resetSeconds: 10 });
    void ask("prefetch", "prefetch");
    await goOn(10_000);
    expect(order).toEqual(["prefetch"]);
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
    pace.note({ limit: 100, remaining: 3, resetSeconds: 20 });
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

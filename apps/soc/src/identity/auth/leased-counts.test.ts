import { createFakeClock } from "@kit/clock/fake";
import { createFixedWindows } from "@kit/http/limits";
import { expect, it } from "vitest";
import { createLeasedCounts } from "./leased-counts.ts";

const BUDGET = { name: "intake", limit: 1000, windowMs: 60_000 };
/** One hundredth of the limit. */
const PORTION = 10;

/** Processes that share one count. */
function newProcesses(count: number, maxClients?: number) {
  const clock = createFakeClock();
  const windows = createFixedWindows({ clock });
  const shared = { statements: 0 };
  const lease = async (budget: typeof BUDGET, client: string, most: number) => {
    shared.statements += 1;
    let granted = 0;
    while (granted < most && windows.take(budget, client) === 0) granted += 1;
    return { granted, ...windows.left(budget, client) };
  };
  const processes = Array.from({ length: count }, () =>
    createLeasedCounts({ lease, clock, ...(maxClients && { maxClients }) }),
  );
  return { clock, shared, processes };
}

const countAllowed = (counted: { waitMs: number }[]) => counted.filter(({ waitMs }) => waitMs === 0).length;

it("allows exactly the limit over all processes while each keeps sending", async () => {
  const { processes, shared } = newProcesses(3);
  const counted = await Promise.all(
    processes.flatMap((count) => Array.from({ length: 700 }, () => count(BUDGET, "key:a"))),
  );
  expect(countAllowed(counted)).toBe(BUDGET.limit);
  // One portion each, and one more per process to find out that nothing is left.
  expect(shared.statements).toBeLessThanOrEqual(BUDGET.limit / PORTION + processes.length);
});

it("withholds at most one portion per process from the client", async () => {
  const { processes } = newProcesses(3);
  const [first, ...others] = processes;
  for (const count of others) expect((await count(BUDGET, "key:a")).waitMs).toBe(0);
  const counted = await Promise.all(
    Array.from({ length: 1000 }, () => first?.(BUDGET, "key:a") ?? expect.unreachable()),
  );
  expect(countAllowed(counted)).toBe(BUDGET.limit - others.length * PORTION);
});

it("reports the rest as the process knows it, and refuses until the window ends without another query", async () => {
  const { clock, processes, shared } = newProcesses(1);
  const count = processes[0] ?? expect.unreachable();
  expect(await count(BUDGET, "key:a")).toEqual({ waitMs: 0, remaining: 999, resetMs: 60_000 });
  await clock.advance(1000);
  for (let n = 0; n < 998; n += 1) await count(BUDGET, "key:a");
  expect(await count(BUDGET, "key:a")).toEqual({ waitMs: 0, remaining: 0, resetMs: 59_000 });
  const { statements } = shared;
  for (let n = 0; n < 50; n += 1) {
    expect(await count(BUDGET, "key:a")).toEqual({ waitMs: 59_000, remaining: 0, resetMs: 59_000 });
  }
  expect(shared.statements).toBe(statements);
  await clock.advance(59_000);
  expect((await count(BUDGET, "key:a")).waitMs).toBe(0);
});

it("counts one by one if a hundredth of the limit is less than one request", async () => {
  const { processes, shared } = newProcesses(2);
  const counted = await Promise.all(
    processes.flatMap((count) => Array.from({ length: 8 }, () => count({ ...BUDGET, limit: 8 }, "key:a"))),
  );
  expect(countAllowed(counted)).toBe(8);
  expect(shared.statements).toBeGreaterThanOrEqual(8);
});

it("refuses while the count cannot be read, and counts again afterwards", async () => {
  const clock = createFakeClock();
  let isDown = true;
  const count = createLeasedCounts({
    async lease() {
      if (isDown) throw new Error("down");
      return { granted: 1, remaining: 0, resetMs: 1000 };
    },
    clock,
  });
  await expect(count(BUDGET, "key:a")).rejects.toThrow("down");
  isDown = false;
  expect((await count(BUDGET, "key:a")).waitMs).toBe(0);
});

it("evicts the oldest lease beyond its limit", async () => {
  const { processes, shared } = newProcesses(1, 1);
  const count = processes[0] ?? expect.unreachable();
  for (const client of ["a", "b", "a"]) await count(BUDGET, client);
  expect(shared.statements).toBe(3);
});

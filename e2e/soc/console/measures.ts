import type { Page } from "playwright-core";

export interface ScrollMeasurement {
  frames: number;
  /** The share of the list that had no row with content. */
  blankShare: number;
}

/** Scrolls an element at this speed for this time, counts frames, and looks in each at what is drawn. */
export function scroll(
  page: Page,
  selector: string,
  options: { pxPerSecond: number; ms: number },
): Promise<ScrollMeasurement> {
  return page.evaluate(
    ({ selector, pxPerSecond, ms }) =>
      new Promise<ScrollMeasurement>((resolve, reject) => {
        const scroller = document.querySelector(selector);
        if (!scroller) return reject(new Error(`there is no ${selector}`));
        const { top, bottom } = scroller.getBoundingClientRect();
        const headHeight = scroller.querySelector(".list-head")?.getBoundingClientRect().height ?? 0;
        const [begin, end] = [top + headHeight, Math.min(bottom, innerHeight)];
        let [frames, expected, blank] = [0, 0, 0];
        /** The visible share of the list without a rendered row. */
        const judge = () => {
          let covered = 0;
          for (const row of scroller.querySelectorAll("[data-row]:not([aria-busy=true])")) {
            const box = row.getBoundingClientRect();
            covered += Math.max(0, Math.min(box.bottom, end) - Math.max(box.top, begin));
          }
          expected += end - begin;
          blank += Math.max(0, end - begin - covered - 1);
        };
        const start = performance.now();
        const step = (now: number) => {
          const wanted = ((now - start) / 1000) * pxPerSecond;
          if (now - start > ms) return resolve({ frames, blankShare: blank / Math.max(1, expected) });
          frames += 1;
          // Measures the last painted frame. Only every fifth frame is measured, to keep the overhead low.
          if (frames % 5 === 0) judge();
          scroller.scrollTop = wanted;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { selector, ...options },
  );
}

/** Notes when the first element of this kind is painted; before the page is opened. */
export function markFirst(page: Page, selector: string): Promise<unknown> {
  return page.addInitScript((wanted) => {
    const look = () => {
      if (document.querySelector(wanted))
        requestAnimationFrame(() => Object.assign(window, { usefulMs: performance.now() }));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, selector);
}

export async function readUsefulMs(page: Page): Promise<number> {
  await page.waitForFunction(() => "usefulMs" in window);
  return page.evaluate<number>("window.usefulMs");
}

/** Collects how long it takes from a key to the next paint; shorter ones than 16 ms are not reported by the browser. */
export async function watchKeys(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const durations: number[] = [];
    Object.assign(window, { keyDurations: durations });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "keydown") durations.push(duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  return async () => {
    await page.waitForTimeout(300);
    return page.evaluate<number[]>("window.keyDurations.splice(0)");
  };
}

/** Collects tasks of more than 50 ms with the time at which they began. */
export async function watchLongTasks(page: Page): Promise<() => Promise<{ atMs: number; ms: number }[]>> {
  await page.evaluate(() => {
    const tasks: { atMs: number; ms: number }[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push({ atMs: startTime, ms: duration });
    }).observe({ type: "longtask" });
  });
  return () => page.evaluate<{ atMs: number; ms: number }[]>("window.longTasks.splice(0)");
}

/** The memory that the page's scripts hold, after garbage was collected. */
export async function createHeapReader(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  return async () => {
    for (let round = 0; round < 3; round += 1) await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize;
  };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);

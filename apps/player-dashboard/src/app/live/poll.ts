export interface PollDeps {
  page: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
  every: (periodMs: number, task: () => void) => () => void;
  periodMs: number;
  task: () => Promise<void>;
}

export interface Poll {
  /** Does the task now, unless it is already under way. */
  now: () => void;
  stop: () => void;
}

/** Does the task at once, after each period while the page is visible, and as soon as it is visible again. */
export function startPoll({ page, every, periodMs, task }: PollDeps): Poll {
  let isUnderWay = false;

  async function run(): Promise<void> {
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      await task();
    } finally {
      isUnderWay = false;
    }
  }
  const now = () => void run();
  const nowIfVisible = () => {
    if (page.visibilityState === "visible") now();
  };

  const stopTimer = every(periodMs, nowIfVisible);
  page.addEventListener("visibilitychange", nowIfVisible);
  now();

  return {
    now,
    stop() {
      stopTimer();
      page.removeEventListener("visibilitychange", nowIfVisible);
    },
  };
}

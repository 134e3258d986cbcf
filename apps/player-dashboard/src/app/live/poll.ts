export interface PollDeps {
  page: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
  every: (periodMs: number, task: () => void) => () => void;
  periodMs: number;
  task: () => Promise<void>;
}

export interface Poll {
  /** Runs the task now, unless it is already running. */
  now: () => void;
  stop: () => void;
}

/** Runs the task immediately, after each period while the page is visible, and when it becomes visible again. */
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

export interface BacktesterDeps<Request, Span, Result> {
  /** Calls `task` once after the delay, unless the returned function is called before. */
  after: (delayMs: number, task: () => void) => () => void;
  /** `signal` aborts when a newer request came: the service stops, too. */
  run: (request: Request, span: Span, signal: AbortSignal) => Promise<Result>;
  onState: (state: BacktestState<Span, Result>) => void;
}

export interface BacktestState<Span, Result> {
  /** Something is waited for: the typing, or an answer. */
  isBusy: boolean;
  /** `found` is of what was typed before. */
  isEarlier: boolean;
  /** The last answer. */
  found: { span: Span; result: Result } | undefined;
  error: unknown;
}

/** After the last key. */
export const TYPING_MS = 400;

/**
 * Tests what is typed: begins when the typing pauses, asks for the spans one after the other, and stops when something
 * else is typed. An older answer never replaces a newer one.
 */
export function createBacktester<Request, Span, Result>(deps: BacktesterDeps<Request, Span, Result>) {
  let found: BacktestState<Span, Result>["found"];
  let isEarlier = false;
  let stop: (() => void) | undefined;

  const report = (isBusy: boolean, error?: unknown) => deps.onState({ isBusy, isEarlier, found, error });

  async function ask(request: Request, spans: readonly Span[], signal: AbortSignal): Promise<void> {
    for (const [at, span] of spans.entries()) {
      try {
        const result = await deps.run(request, span, signal);
        if (signal.aborted) return;
        found = { span, result };
        isEarlier = false;
        report(at < spans.length - 1);
      } catch (error) {
        if (!signal.aborted) report(false, error);
        return;
      }
    }
  }

  return {
    /** Without a request nothing is tested any more. */
    test(request: Request | undefined, spans: readonly Span[]): void {
      stop?.();
      if (request === undefined) {
        found = undefined;
        isEarlier = false;
        report(false);
        return;
      }
      const abort = new AbortController();
      isEarlier = found !== undefined;
      report(true);
      const cancel = deps.after(TYPING_MS, () => void ask(request, spans, abort.signal));
      stop = () => {
        cancel();
        abort.abort();
      };
    },
    stop: () => stop?.(),
  };
}

export interface BacktesterDeps<Request, Span, Result> {
  /** Calls `task` once after the delay, unless the returned function is called first. */
  after: (delayMs: number, task: () => void) => () => void;
  /** `signal` aborts when a newer request arrives, which also stops the search in the service. */
  run: (request: Request, span: Span, signal: AbortSignal) => Promise<Result>;
  onState: (state: BacktestState<Span, Result>) => void;
}

export interface BacktestState<Span, Result> {
  /** A pause in typing or a response is pending. */
  isBusy: boolean;
  /** `found` belongs to an earlier text. */
  isEarlier: boolean;
  /** The last result. */
  found: { span: Span; result: Result } | undefined;
  error: unknown;
}

/** Delay after the last key press. */
export const TYPING_MS = 400;

/**
 * Tests the edited rule: starts when the user pauses typing, tests the spans in order, and stops when the text changes.
 * An older response never replaces a newer one.
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
    /** Without a request, stops testing. */
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

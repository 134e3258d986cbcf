export interface ThrottleDeps<Value> {
  /** Time between the starts of two calls. */
  gapMs: number;
  after: (delayMs: number, task: () => void) => () => void;
  send: (value: Value) => Promise<void>;
}

/** Sends the newest value at most once per gap, and always the last one. */
export function createThrottle<Value>({ gapMs, after, send }: ThrottleDeps<Value>): (value: Value) => void {
  let waiting: { value: Value } | undefined;
  let isResting = false;

  function run(): void {
    if (!waiting) {
      isResting = false;
      return;
    }
    const { value } = waiting;
    waiting = undefined;
    isResting = true;
    after(gapMs, run);
    void send(value);
  }

  return (value) => {
    waiting = { value };
    if (!isResting) run();
  };
}

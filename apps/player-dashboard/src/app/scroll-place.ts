export interface ScrollPlaceDeps {
  /** The scroll position in pixels, stored in the current entry of the browser's history. */
  readKept: () => number;
  keep: (top: number) => void;
  top: () => number;
  scrollTo: (top: number) => void;
  /** Calls back when the page has become taller or shorter. Returns the function that stops listening. */
  onResize: (listener: () => void) => () => void;
  onScroll: (listener: () => void) => void;
  /** Calls back when the user touches the page, the wheel or a key. */
  onTouch: (listener: () => void) => void;
  after: (delayMs: number, task: () => void) => () => void;
}

export interface ScrollPlace {
  /** Before another page is opened. */
  leave: () => void;
  /** After the browser has gone back or forward to a page that was left. */
  restore: () => void;
}

/** Browsers refuse to change an entry of the history more than 100 times in 30 s. */
const QUIET_MS = 400;
/** Stop waiting for a list after this time. */
const MAX_WAIT_MS = 5000;

/** Restores the scroll position of a long page. A page loads in parts, so the browser alone returns to its top. */
export function createScrollPlace(deps: ScrollPlaceDeps): ScrollPlace {
  const { readKept, keep, top, scrollTo, onResize, onScroll, onTouch, after } = deps;
  let stopKeeping = nothing;
  let stopRestoring = nothing;
  let isRestoring = false;

  onScroll(() => {
    // While the page is still short, the browser changes the scroll position.
    if (isRestoring) return;
    stopKeeping();
    stopKeeping = after(QUIET_MS, () => keep(top()));
  });
  onTouch(() => stopRestoring());

  return {
    leave() {
      stopRestoring();
      stopKeeping();
      keep(top());
    },
    restore() {
      stopRestoring();
      stopKeeping();
      const wanted = readKept();
      isRestoring = true;
      const stopListening = onResize(move);
      const stopWaiting = after(MAX_WAIT_MS, () => stopRestoring());
      // The page that is left stays until the next turn, and may be long enough by chance.
      const stopFirst = after(0, move);
      stopRestoring = () => {
        stopFirst();
        stopListening();
        stopWaiting();
        isRestoring = false;
        stopRestoring = nothing;
      };

      function move(): void {
        scrollTo(wanted);
        if (Math.abs(top() - wanted) <= 1) stopRestoring();
      }
    },
  };
}

function nothing(): void {
  // Replaced once there is something to stop.
}

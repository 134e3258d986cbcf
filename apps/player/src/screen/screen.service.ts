import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import { encodeBmp } from "./bmp.ts";
import { chooseScreen, type ScreenInputs } from "./choose-screen.ts";
import type { Display, Frame } from "./display.ts";
import type { Painter } from "./painter.ts";

export interface ScreenServiceDeps {
  display: Display;
  openPainter: () => Promise<Painter>;
  /** The complete input of the screen; it is read every second and after every event. */
  read: () => Omit<ScreenInputs, "age_ms">;
  events: Pick<Events, "onEvent">;
  clock: Pick<Clock, "now" | "monotonicMs" | "sleep">;
  log: Pick<Log, "warn">;
}
export type ScreenService = ReturnType<typeof createScreenService>;

/** However many events arrive at once, at most twenty pictures per second are drawn. */
const FRAME_MS = 50;

/** Checks often but draws rarely: only when the picture differs from the one on the panel. */
export function createScreenService({ display, openPainter, read, events, clock, log }: ScreenServiceDeps) {
  const timer = createTimer(clock);
  let painter: Painter | undefined;
  let opening: Promise<void> | undefined;
  let drawing: Promise<void> | undefined;
  let stopListening = (): void => undefined;
  let failure: { component: "display"; error: string } | undefined;
  let shown: { key: string; frame: Frame } | undefined;
  let isStale = false;
  let isClosed = false;
  let isFailing = false;
  let startedMs = 0;
  let drawnAtMs = 0;

  async function open(): Promise<void> {
    try {
      await display.start();
      painter = await openPainter();
    } catch (error) {
      failure = { component: "display", error: reasonOf(error) };
      log.warn({ err: error }, "display failed to start");
      return;
    }
    if (isClosed) return;
    stopListening = events.onEvent(drawSoon);
    await draw();
  }

  /** Deferred: the emitter of an event may be in the middle of a change. */
  function drawSoon(): void {
    isStale = true;
    if (!drawing && !isClosed) timer.set(drawnAtMs + FRAME_MS - clock.monotonicMs(), drawAgain);
  }

  function drawAgain(): void {
    void draw();
  }

  function draw(): Promise<void> {
    drawing ??= drawChange().finally(() => {
      drawing = undefined;
      if (isStale) drawSoon();
      else if (!isClosed) timer.set(1000 - (clock.now().getTime() % 1000), drawAgain);
    });
    return drawing;
  }

  async function drawChange(): Promise<void> {
    isStale = false;
    drawnAtMs = clock.monotonicMs();
    try {
      const model = chooseScreen({ ...read(), age_ms: drawnAtMs - startedMs });
      const key = JSON.stringify(model);
      const frame = key === shown?.key ? undefined : painter?.paint(model);
      if (!frame) return;
      await display.show(frame);
      shown = { key, frame };
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, "drawing failed, will retry");
      isFailing = true;
      // The panel may show half of the picture, so the next one is always drawn.
      if (shown) shown.key = "";
    }
  }

  return {
    /** Returns immediately: loading the graphics library takes time. */
    start(): void {
      startedMs = clock.monotonicMs();
      opening ??= open();
    },

    /** Why the screen stays dark; undefined when it works. */
    failure: () => failure,

    /** A 24-bit BMP of the picture on the panel; a secret on it is covered. */
    async screenshot(): Promise<Buffer> {
      await opening;
      if (failure) throw new Problem("failed", `display: ${failure.error}`);
      if (!shown) throw new Problem("failed", "display: nothing is shown yet");
      return encodeBmp(shown.frame);
    },

    async close(): Promise<void> {
      isClosed = true;
      timer.cancel();
      await opening;
      stopListening();
      await drawing;
      await display.close().catch((error: unknown) => log.warn({ err: error }, "closing the display failed"));
    },
  };
}

/** The list of failures is public: messages of other libraries may name paths, so they are replaced. */
function reasonOf(error: unknown): string {
  return error instanceof Problem ? error.message.replace(/^display: /, "") : "it cannot be opened";
}

import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";

/** What a press becomes while it is held, and what it was when it ends. */
export interface PressListener {
  /** Released before two seconds. */
  short(): void;
  /** Held for two seconds. */
  long(): void;
  /** Held so long that the person may mean to erase everything. */
  warn(): void;
  /** Released after ten seconds. */
  erase(): void;
  /** Held longer than a person holds a key, or chattering: the key is faulty. */
  faulty(): void;
}

interface KeyPress {
  sinceMs: number;
  bounces: number;
  isFaulty: boolean;
  hasBeenLong: boolean;
  hasWarned: boolean;
}

/** How far a held key is from erasing everything. */
export interface HoldProgress {
  /** `armed`: a release erases everything. */
  phase: "warning" | "armed";
  left_s: number;
}

export interface Press {
  down(): void;
  up(): void;
  /** The key is gone: the press ends without any effect. */
  cancel(): void;
  isHeld(): boolean;
  /** Undefined while a release erases nothing soon. */
  hold(): HoldProgress | undefined;
}

const LONG_MS = 2000;
/** For how long a person holds the button to open pairing. */
export const PAIRING_HOLD_S = LONG_MS / 1000;
const WARNING_MS = 5000;
const ERASE_MS = 10_000;
/** A key that is held for longer is stuck, or something leans on it. */
const STUCK_MS = 20_000;
/** The contacts of a worn button open and close for this long. */
const BOUNCE_MS = 60;
const MAX_BOUNCES = 20;

/**
 * Turns the changes of one key into presses. Only a release erases, and only within ten seconds after the warning, so
 * that a stuck key never does.
 */
export function createPress(clock: Pick<Clock, "sleep" | "monotonicMs">, listener: PressListener): Press {
  const stage = createTimer(clock);
  const release = createTimer(clock);
  let held: KeyPress | undefined;

  const heldMs = () => (held ? clock.monotonicMs() - held.sinceMs : 0);

  function cancel(): void {
    stage.cancel();
    release.cancel();
    held = undefined;
  }

  /** Sets the timer to the next instant at which the press changes its meaning. */
  function awaitStage(mine: KeyPress): void {
    const [ms, enter] = findStage(mine);
    stage.set(ms - heldMs(), enter);
  }

  function findStage(mine: KeyPress): [number, () => void] {
    if (!mine.hasBeenLong) return [LONG_MS, () => enterLong(mine)];
    return mine.hasWarned ? [STUCK_MS, () => giveUp(mine)] : [WARNING_MS, () => enterWarning(mine)];
  }

  function enterLong(mine: KeyPress): void {
    mine.hasBeenLong = true;
    listener.long();
    awaitStage(mine);
  }

  function enterWarning(mine: KeyPress): void {
    mine.hasWarned = true;
    listener.warn();
    awaitStage(mine);
  }

  function giveUp(mine: KeyPress): void {
    mine.isFaulty = true;
    stage.cancel();
    listener.faulty();
  }

  function finish(ms: number): void {
    const isFaulty = held?.isFaulty ?? true;
    cancel();
    if (isFaulty) return;
    if (ms < LONG_MS) listener.short();
    else if (ms >= ERASE_MS && ms < STUCK_MS) listener.erase();
  }

  return {
    down() {
      if (held && release.isSet()) {
        release.cancel();
        held.bounces += 1;
        if (held.bounces > MAX_BOUNCES && !held.isFaulty) giveUp(held);
        if (!held.isFaulty) awaitStage(held);
      } else if (!held) {
        held = { sinceMs: clock.monotonicMs(), bounces: 0, isFaulty: false, hasBeenLong: false, hasWarned: false };
        awaitStage(held);
      }
    },

    up() {
      if (!held || release.isSet()) return;
      const ms = heldMs();
      stage.cancel();
      release.set(BOUNCE_MS, () => finish(ms));
    },

    cancel,
    isHeld: () => held !== undefined,

    hold() {
      if (!held?.hasWarned || held.isFaulty) return undefined;
      const leftMs = ERASE_MS - heldMs();
      return leftMs > 0 ? { phase: "warning", left_s: Math.ceil(leftMs / 1000) } : { phase: "armed", left_s: 0 };
    },
  };
}

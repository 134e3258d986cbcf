import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { PairingService } from "../pairing/pairing.service.ts";
import { createPress, type HoldProgress } from "../pairing/press.ts";
import type { PlaybackService } from "../playback/playback.service.ts";
import type { PowerService } from "../power/power.service.ts";
import type { ResetService } from "../reset/reset.service.ts";
import type { SettingsService } from "../settings/settings.service.ts";
import type { TargetsService } from "../targets/targets.service.ts";
import { CONTROL_KEYS, type ControlKey, type ControlListener, type KeyChange } from "./control-input.ts";
import { createStormGuard } from "./storm-guard.ts";

export interface ControlsServiceDeps {
  playback: Pick<PlaybackService, "status" | "setVolume" | "endInterruption" | "isInterrupted">;
  targets: Pick<TargetsService, "run">;
  settings: Pick<SettingsService, "get">;
  pairing: Pick<PairingService, "toggle" | "close">;
  power: Pick<PowerService, "touch" | "isAsleep">;
  reset: Pick<ResetService, "reset">;
  /** Plays a short sound, so that a person without a screen notices that everything is about to be erased. */
  soundWarning: () => Promise<void>;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
  log: Pick<Log, "info" | "warn" | "error">;
}

export interface ControlsService extends ControlListener {
  /** How far a held key is from erasing everything; undefined while no key is held for long. */
  hold(): HoldProgress | undefined;
  close(): void;
}

const KEY_VOLUME_STEP = 5;
const TURN_VOLUME_STEP = 2;
/** However fast a knob turns, the volume is stored at most ten times a second. */
const TURN_INTERVAL_MS = 100;
const KEY_LIMIT = { limit: 40, regainMs: 250 };
const TURN_LIMIT = { limit: 250, regainMs: 200 };

/** What the keys and knobs of the device do. */
export function createControlsService(deps: ControlsServiceDeps): ControlsService {
  const { playback, targets, settings, pairing, power, reset, soundWarning, clock, log } = deps;
  const turning = createTimer(clock);
  const guard = (part: string, limits: { limit: number; regainMs: number }) =>
    createStormGuard({
      ...limits,
      clock,
      onStorm: () => log.warn({ part }, "faulty control ignored until it is silent"),
    });
  // Each key has a limit of its own: a volume key that is stuck must not disable the button.
  const guards = new Map(CONTROL_KEYS.map((key) => [key, guard(key, KEY_LIMIT)]));
  const mayPress = (key: ControlKey) => guards.get(key)?.() ?? false;
  const mayTurn = guard("knob", TURN_LIMIT);
  let turned = 0;
  let hasOpenedPairing = false;
  /** The key of the current press; other keys with a long press wait until it is released. */
  let pressed: "main" | "setup" | undefined;

  const press = createPress(clock, {
    short() {
      if (!mayPress(pressed ?? "main")) return;
      if (pressed === "setup") pairing.toggle();
      else if (!playback.endInterruption()) run("toggle");
    },
    long() {
      hasOpenedPairing = pairing.toggle();
    },
    warn() {
      // An adhan is not replaced by a warning.
      if (!playback.isInterrupted()) settle(soundWarning(), "warning sound failed");
    },
    erase() {
      log.info({}, "reset by the button");
      settle(reset.reset(), "reset by the button failed");
    },
    faulty() {
      log.warn({}, "stuck or bouncing key ignored until it is released");
      if (hasOpenedPairing) pairing.close();
    },
  });

  function run(command: "toggle" | "next" | "prev"): void {
    settle(targets.run({ type: "command", command }), "key had no effect");
  }

  /** A person at the device sees no error text: an impossible action has no effect. */
  function settle(work: Promise<unknown>, message: string): void {
    work.catch((error: unknown) => {
      if (error instanceof Problem && error.kind === "invalid") log.info({ why: error.message }, message);
      else log.error({ err: error }, message);
    });
  }

  function changeVolume(by: number): void {
    const { volume } = playback.status();
    const wanted = Math.min(Math.max(volume + by, 0), settings.get().max_volume);
    if (wanted !== volume) playback.setVolume(wanted);
  }

  function changePress(key: "main" | "setup", change: KeyChange): void {
    if (change === "down" && !press.isHeld()) {
      power.touch();
      pressed = key;
      hasOpenedPairing = false;
    }
    if (key !== pressed) return;
    if (change === "down") press.down();
    if (change === "up") press.up();
    if (change === "lost") press.cancel();
  }

  function act(key: Exclude<ControlKey, "main" | "setup">, change: KeyChange): void {
    const isVolume = key === "volume_up" || key === "volume_down";
    const isActing = change === "down" || (change === "repeat" && isVolume);
    if (!isActing || !mayPress(key)) return;
    power.touch();
    if (isVolume) changeVolume(key === "volume_up" ? KEY_VOLUME_STEP : -KEY_VOLUME_STEP);
    else run(key === "next" ? "next" : "prev");
  }

  function applyTurns(): void {
    const steps = turned;
    turned = 0;
    changeVolume(steps * TURN_VOLUME_STEP);
  }

  return {
    key(key, change) {
      // The press that wakes the device does nothing else.
      if (power.isAsleep() && change === "down") return;
      if (key === "main" || key === "setup") changePress(key, change);
      else act(key, change);
    },

    turn(steps) {
      if (!mayTurn()) return;
      power.touch();
      turned += steps;
      if (!turning.isSet()) turning.set(TURN_INTERVAL_MS, applyTurns);
    },

    hold: () => press.hold(),

    close() {
      turning.cancel();
      press.cancel();
    },
  };
}

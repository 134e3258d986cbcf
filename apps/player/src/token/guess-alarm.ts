import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Events } from "../events.ts";

export interface GuessAlarmDeps {
  clock: Pick<Clock, "monotonicMs">;
  log: Pick<Log, "warn">;
  events: Pick<Events, "emit">;
}

const MAX_GUESSES = 10;
const WITHIN_MS = 60_000;

/**
 * Call for every wrong token or pairing code, whatever its sender. Raises the alarm when there are many, at most once a minute, and
 * locks out no client: otherwise an attacker could lock out the owner.
 */
export function createGuessAlarm({ clock, log, events }: GuessAlarmDeps): () => void {
  let latest: number[] = [];
  let alarmedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonicMs();
    latest = [...latest.slice(-MAX_GUESSES), now];
    const [first = now] = latest;
    const isMany = latest.length > MAX_GUESSES && now - first < WITHIN_MS;
    if (!isMany || now - alarmedAt < WITHIN_MS) return;
    alarmedAt = now;
    log.warn({ more_than: MAX_GUESSES, within_ms: WITHIN_MS }, "wrong tokens");
    const message = `more than ${MAX_GUESSES} requests with a wrong token or code within a minute`;
    events.emit("error", { code: "token", message });
  };
}

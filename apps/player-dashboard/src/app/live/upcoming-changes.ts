import type { AdhanChange } from "@player/service/contract/adhan";
import type { PlaybackStatus } from "@player/service/contract/playback";
import type { Frame } from "./frame.ts";

/** Announced future instants, on the device's clock in milliseconds; undefined if unknown. */
export interface UpcomingChanges {
  sleepsAtMs?: number | undefined;
  retriesAtMs?: number | undefined;
  gapEndsAtMs?: number | undefined;
  /** The adhan that is playing. */
  adhan?: AdhanChange["prayer"] | undefined;
}

/** A status contains the remaining time, so the instant is known only from a fresh status. */
export function upcomingChangesAfter(former: UpcomingChanges, frame: Frame): UpcomingChanges {
  const { ts } = frame;
  if (frame.type === "hello") {
    return { ...parseUpcomingChanges(frame.data.playback, ts), adhan: frame.data.adhan ?? undefined };
  }
  if (frame.type === "playback") {
    const gapEndsAtMs = frame.data.hifz?.waiting ? former.gapEndsAtMs : undefined;
    return { ...former, ...parseUpcomingChanges(frame.data, ts), gapEndsAtMs };
  }
  if (frame.type === "hifz") {
    return { ...former, gapEndsAtMs: frame.data.phase === "gap" ? ts + frame.data.pause_s * 1000 : undefined };
  }
  return frame.type === "adhan" ? { ...former, adhan: adhanAfter(former.adhan, frame.data) } : former;
}

/** An adhan that replaces another starts before the other is reported as stopped. */
function adhanAfter(former: UpcomingChanges["adhan"], { phase, prayer }: AdhanChange): UpcomingChanges["adhan"] {
  if (phase === "started") return prayer;
  return former === prayer ? undefined : former;
}

function parseUpcomingChanges(
  { sleep_timer_s, retry_in_s }: Pick<PlaybackStatus, "sleep_timer_s" | "retry_in_s">,
  atMs: number,
): Pick<UpcomingChanges, "sleepsAtMs" | "retriesAtMs"> {
  const instant = (seconds: number | null) => (seconds === null ? undefined : atMs + seconds * 1000);
  return { sleepsAtMs: instant(sleep_timer_s), retriesAtMs: instant(retry_in_s) };
}

/** Whole seconds until then, never negative. */
export function secondsUntil(instantMs: number | undefined, nowMs: number): number | undefined {
  return instantMs === undefined ? undefined : Math.max(0, Math.ceil((instantMs - nowMs) / 1000));
}

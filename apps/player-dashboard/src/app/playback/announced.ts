import type { PlaybackStatus } from "@player/service/contract/playback";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Frame } from "../live/frame.ts";
import type { Live } from "../live/live.ts";

/** What the device announced for later, on its own clock in milliseconds; undefined when that is not known. */
export interface Announced {
  sleepsAtMs?: number | undefined;
  retriesAtMs?: number | undefined;
  gapEndsAtMs?: number | undefined;
  isAdhan: boolean;
}

/** A status contains the remaining time, so the instant is known only from a fresh status. */
export function announcedAfter(former: Announced, frame: Frame): Announced {
  const { ts } = frame;
  if (frame.type === "hello") return { ...announcedBy(frame.data.playback, ts), isAdhan: false };
  if (frame.type === "playback") {
    const gapEndsAtMs = frame.data.hifz?.waiting ? former.gapEndsAtMs : undefined;
    return { ...former, ...announcedBy(frame.data, ts), gapEndsAtMs };
  }
  if (frame.type === "hifz") {
    return { ...former, gapEndsAtMs: frame.data.phase === "gap" ? ts + frame.data.pause_s * 1000 : undefined };
  }
  return frame.type === "adhan" ? { ...former, isAdhan: frame.data.phase === "started" } : former;
}

function announcedBy(
  { sleep_timer_s, retry_in_s }: Pick<PlaybackStatus, "sleep_timer_s" | "retry_in_s">,
  atMs: number,
): Pick<Announced, "sleepsAtMs" | "retriesAtMs"> {
  const instant = (seconds: number | null) => (seconds === null ? undefined : atMs + seconds * 1000);
  return { sleepsAtMs: instant(sleep_timer_s), retriesAtMs: instant(retry_in_s) };
}

/** Follows what the device announces while the component is on the page. */
export function useAnnounced(): Announced {
  const { api, live } = useApp();
  const [announced, setAnnounced] = useState<Announced>({ isAdhan: false });
  useEffect(() => {
    const leave = live.onFrame((frame) => setAnnounced((former) => announcedAfter(former, frame)));
    if (hasRemainder(live)) {
      // The last status may be old, so its remaining time is read once more.
      void api.get<PlaybackStatus>("/playback/status").then(
        (status) => setAnnounced((former) => ({ ...former, ...announcedBy(status, live.deviceNowMs()) })),
        () => undefined,
      );
    }
    return leave;
  }, [api, live]);
  return announced;
}

function hasRemainder({ playback }: Pick<Live, "playback">): boolean {
  const status = playback.truth.peek();
  return status !== undefined && (status.sleep_timer_s !== null || status.retry_in_s !== null);
}

/** Whole seconds until then, never below zero. */
export function secondsUntil(instantMs: number | undefined, nowMs: number): number | undefined {
  return instantMs === undefined ? undefined : Math.max(0, Math.ceil((instantMs - nowMs) / 1000));
}

import type { PlaybackStatus } from "../playback/playback.schema.ts";

export interface Activity {
  playback: Pick<PlaybackStatus, "state" | "advance_mode" | "hifz">;
  isAdhan: boolean;
  isUpdating: boolean;
  /** Connected dashboards that answer pings. */
  clients: number;
}

/** What keeps the device from sleeping automatically, as text for the log; empty when it may sleep. */
export function listAwakeReasons({ playback, isAdhan, isUpdating, clients }: Activity): string[] {
  const isDrill = playback.state === "paused" && playback.advance_mode.startsWith("hifz");
  const reasons: [string, boolean][] = [
    ["gap", playback.hifz?.waiting ?? false],
    ["playback", playback.state === "playing" || playback.state === "buffering"],
    ["drill", isDrill],
    ["adhan", isAdhan],
    ["update", isUpdating],
    ["dashboard", clients > 0],
  ];
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

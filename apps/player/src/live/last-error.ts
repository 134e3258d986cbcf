import type { Events } from "../events.ts";
import { type ErrorCode, errorAfterEvent, errorAfterStatus, type KeptError } from "../playback/errors.ts";
import type { PlaybackStatus } from "../playback/playback.schema.ts";

export interface LastErrorDeps {
  events: Pick<Events, "onEvent">;
  status: () => PlaybackStatus;
}

/** Keeps the error that a client which connects later still has to know. */
export function createLastError({ events, status }: LastErrorDeps): { current: () => ErrorCode | undefined } {
  let kept: KeptError | undefined;
  events.onEvent(({ type, data }) => {
    if (type === "error" && "code" in data) kept = errorAfterEvent(kept, data.code, status());
    if (type === "playback") kept = errorAfterStatus(kept, status());
  });
  return { current: () => kept?.code };
}

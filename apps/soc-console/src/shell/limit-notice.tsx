import { useEffect, useState, useSyncExternalStore } from "react";
import { every, monotonicMs } from "../app/browser/clock.ts";
import { useApp } from "../app/context/app-context.ts";
import { fill, usePhrases } from "../app/language/language-context.tsx";
import { Notice } from "../design/states.tsx";
import { shellPhrases } from "./shell-phrases.ts";

/** How long requests wait for the limit of the service; undefined if none waits. */
export function useWaitSeconds(): number | undefined {
  const { pace } = useApp();
  const { resumesAtMs } = useSyncExternalStore(pace.subscribe, pace.read);
  const [, setTick] = useState(0);
  useEffect(
    () => (resumesAtMs === undefined ? undefined : every(1000, () => setTick((before) => before + 1))),
    [resumesAtMs],
  );
  if (resumesAtMs === undefined) return undefined;
  const seconds = Math.ceil((resumesAtMs - monotonicMs()) / 1000);
  return seconds > 0 ? seconds : undefined;
}

/** Above the page while requests wait: otherwise an unread part would look like a slow one. */
export function LimitNotice() {
  const words = usePhrases(shellPhrases);
  const seconds = useWaitSeconds();
  if (seconds === undefined) return null;
  return (
    <div className="frame-limit">
      <Notice tone="waiting">{fill(words.resumes, { seconds: String(seconds) })}</Notice>
    </div>
  );
}

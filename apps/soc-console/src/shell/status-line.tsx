import { useEffect, useState, useSyncExternalStore } from "react";
import { every, monotonicMs } from "../app/browser/clock.ts";
import { useApp } from "../app/context/app-context.ts";
import { ChordCaps } from "../app/keys/chord-caps.tsx";
import { useCommandList } from "../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../app/language/language-context.tsx";
import { useShownStatus } from "../app/status/status.tsx";
import { shellPhrases } from "./shell-phrases.ts";

const MAX_KEYS = 7;

/** Shows that requests wait for the rate limit, with a countdown; undefined if none waits. */
function useWaitingWords(): string | undefined {
  const { pace } = useApp();
  const words = usePhrases(shellPhrases);
  const { resumesAtMs } = useSyncExternalStore(pace.subscribe, pace.read);
  const [, setTick] = useState(0);
  useEffect(
    () => (resumesAtMs === undefined ? undefined : every(1000, () => setTick((before) => before + 1))),
    [resumesAtMs],
  );
  if (resumesAtMs === undefined) return undefined;
  const seconds = Math.ceil((resumesAtMs - monotonicMs()) / 1000);
  return seconds > 0 ? fill(words.resumes, { seconds: String(seconds) }) : undefined;
}

/** The shortcuts of this page and its status text. */
export function StatusLine() {
  const commands = useCommandList();
  const shown = useShownStatus();
  const waiting = useWaitingWords();
  const keys = commands.filter(({ isInStatusLine }) => isInStatusLine).slice(0, MAX_KEYS);
  return (
    <footer className="status-line">
      <ul className="status-keys">
        {keys.map(({ id, keys: [chord = ""] = [], label }) => (
          <li key={id}>
            <ChordCaps chord={chord} /> {label}
          </li>
        ))}
      </ul>
      <p className={waiting ? "status-shown status-waiting" : "status-shown"} role="status">
        {waiting ?? shown}
      </p>
    </footer>
  );
}

import { useLiveState } from "../app/context/app-context.ts";
import { fill, usePhrases } from "../app/language/language-context.tsx";
import { useModeReading } from "../app/mode/use-mode.ts";
import { useRecovery } from "../app/mode/use-recovery.ts";
import { useTime } from "../app/time/time-context.tsx";
import { shellPhrases } from "./shell-phrases.ts";

/** Shows the mode on every page, and whether the displayed data is current. */
export function ModeStrip() {
  const words = usePhrases(shellPhrases);
  const time = useTime();
  const live = useLiveState();
  useRecovery();
  const { truth, readAt, isUnreachable, isDatabaseLost } = useModeReading();
  const isLost = isUnreachable || isDatabaseLost;
  const kind = isLost ? "lost" : (truth?.mode ?? "asking");
  const lostWords = isUnreachable
    ? words.unreachable
    : fill(words.databaseLost, { time: readAt ? time.time(readAt) : "" });
  const isDatabaseUp = truth?.is_database_available === true && !isDatabaseLost;
  // A service that does not answer does not say how its database is.
  const databaseWords = truth && !isUnreachable && (isDatabaseUp ? words.databaseUp : words.databaseDown);
  const streamWords = { live: words.live, connecting: words.connecting, off: words.notLive }[live];
  return (
    <div className={`strip strip-${kind.replace("_", "-")}`} role="status">
      {truth && <span className="strip-mode">{words.modes[truth.mode]}</span>}
      {truth?.uses_showcase_data && <span className="strip-mode">{words.showcase}</span>}
      <span className="strip-meaning">{isLost ? lostWords : truth && words.modeMeanings[truth.mode]}</span>
      <span className="strip-state">
        {databaseWords && `${databaseWords} · `}
        {streamWords}
      </span>
    </div>
  );
}

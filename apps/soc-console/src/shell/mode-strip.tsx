import { useLiveState } from "../app/context/use-live.ts";
import { usePhrases } from "../app/language/language-context.tsx";
import { fill } from "../app/language/phrases.ts";
import { useModeReading } from "../app/mode/use-mode.ts";
import { useRecovery } from "../app/mode/use-recovery.ts";
import { useTime } from "../app/time/time-context.tsx";
import { shellPhrases } from "./shell-phrases.ts";

/** The mode, unmistakable on every page, and whether what is shown can be trusted. */
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
  const streamWords = { live: words.live, connecting: words.connecting, off: words.notLive }[live];
  return (
    <div className={`strip strip-${kind.replace("_", "-")}`} role="status">
      {truth && <span className="strip-mode">{words.modes[truth.mode]}</span>}
      {truth?.uses_showcase_data && <span className="strip-mode">{words.showcase}</span>}
      <span className="strip-meaning">{isLost ? lostWords : truth && words.modeMeanings[truth.mode]}</span>
      <span className="strip-state">
        {truth && (truth.is_database_available && !isDatabaseLost ? words.databaseUp : words.databaseDown)} ·{" "}
        {streamWords}
      </span>
    </div>
  );
}

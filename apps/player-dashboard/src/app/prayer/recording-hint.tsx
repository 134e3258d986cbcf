import type { PrayerBody } from "@player/service/contract/prayer";
import type { ComponentChildren } from "preact";
import { usePhrases } from "../app.ts";
import { recordingPhrases } from "./recording-phrases.ts";
import "./recording-hint.css";

/** Warns that no adhan will sound while no recording is chosen, or the chosen one is missing. */
export function RecordingHint({
  prayer: { config, extra },
  children,
}: {
  prayer: PrayerBody;
  /** How to get one. */
  children: ComponentChildren;
}) {
  const phrases = usePhrases(recordingPhrases);
  const isChosen = config.adhan.path !== "";
  if (isChosen && extra.adhan_file_ok) return null;
  return (
    <div class="recording-hint">
      <p>
        <strong>{isChosen ? phrases.fileMissing : phrases.fileTone}</strong>
      </p>
      {children}
    </div>
  );
}

import type { ComponentChildren } from "preact";
import { Icon } from "../../design/icons.tsx";
import { useApp, usePhrases } from "../app.ts";
import { useSound } from "../system/use-sound.ts";
import { errorPhrases } from "./error-phrases.ts";
import "./playback-error.css";

/** Why nothing plays, or not as expected: until something else plays. `children` help when the sound did not start. */
export function PlaybackError({ children }: { children?: ComponentChildren }) {
  const { live } = useApp();
  const phrases = usePhrases(errorPhrases);
  const hasNoSound = useSound() === "failed";
  const code = live.error.value;
  if (!hasNoSound && code === undefined) return null;
  return (
    <div class="playback-error" role="status">
      <Icon name="warning" />
      <p>{hasNoSound || code === undefined ? phrases.soundDidNotStart : phrases.events[code]}</p>
      {hasNoSound && children}
    </div>
  );
}

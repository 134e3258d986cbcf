import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { formatDigits } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { IconButton } from "../../design/button.tsx";
import { readVolumeLimit } from "./saved-view.ts";
import { simplePhrases } from "./simple-phrases.ts";
import { countLitLamps, louder, quieter } from "./volume-steps.ts";

const LAMPS = [1, 2, 3, 4, 5, 6, 7] as const;

export function SimpleVolume() {
  const { live } = useApp();
  const phrases = usePhrases(simplePhrases);
  const language = useLanguage();
  const { setVolume } = useTransport();
  const volume = live.playback.view.value?.volume ?? 0;
  const limit = readVolumeLimit(live.settings.view.value?.max_volume ?? 100);
  const lit = countLitLamps(volume, limit, LAMPS.length);
  return (
    <div class="simple-volume">
      <IconButton
        icon="minus"
        label={phrases.quieter}
        kind="plain"
        size="huge"
        disabled={volume <= 0}
        onClick={() => void setVolume(quieter(volume, limit))}
      />
      <div class="simple-lamps" aria-hidden="true">
        {LAMPS.map((lamp) => (
          <span key={lamp} class={lamp <= lit ? "simple-lamp simple-lamp-lit" : "simple-lamp"} />
        ))}
      </div>
      <p class="screen-reader-only" role="status">
        {fill(phrases.volume, { percent: formatDigits(String(volume), language) })}
      </p>
      <IconButton
        icon="plus"
        label={phrases.louder}
        kind="plain"
        size="huge"
        disabled={volume >= limit}
        onClick={() => void setVolume(louder(volume, limit))}
      />
    </div>
  );
}

import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { formatDigits } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { Button } from "../../design/button.tsx";
import { Stepper } from "../../design/fields.tsx";
import { PageTitle, Panel } from "../../design/layout.tsx";
import { keepLimit, readVolumeLimit } from "./saved-view.ts";
import { simplePhrases } from "./simple-phrases.ts";

/** The adult's choices before handing over the phone or tablet. */
export function SimpleEntry({ onEnter }: { onEnter: () => void }) {
  const { live, tokens } = useApp();
  const phrases = usePhrases(simplePhrases);
  const language = useLanguage();
  const { setVolume } = useTransport();
  const maxVolume = live.settings.view.value?.max_volume ?? 100;
  const [chosen, setChosen] = useState<number>();
  const limit = Math.min(chosen ?? readVolumeLimit(maxVolume), maxVolume);

  // Without the token the large buttons do nothing, and their users could not enter it.
  const enter = async () => {
    if (tokens.token.value === undefined && !(await tokens.ask("needed"))) return;
    keepLimit(limit);
    if ((live.playback.view.value?.volume ?? 0) > limit) await setVolume(limit);
    onEnter();
  };

  return (
    <div class="simple-entry">
      <PageTitle back={{ to: "/more", label: phrases.back }}>{phrases.title}</PageTitle>
      <Panel>
        <div class="stack">
          <p>{phrases.about}</p>
          <p>{phrases.howToLeave}</p>
          <Stepper
            label={phrases.limit}
            hint={phrases.limitHint}
            value={limit}
            min={Math.min(10, maxVolume)}
            max={maxVolume}
            step={10}
            valueText={fill(phrases.percent, { percent: formatDigits(String(limit), language) })}
            onChange={setChosen}
          />
          <Button kind="primary" icon="person" needsToken onClick={() => void enter()}>
            {phrases.start}
          </Button>
        </div>
      </Panel>
    </div>
  );
}

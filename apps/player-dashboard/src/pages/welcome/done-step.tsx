import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { wallTimeWords } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { verdictOf } from "../../app/prayer/trust.ts";
import { TrustPoints, useTrust } from "../../app/prayer/trust-points.tsx";
import { usePrayer } from "../../app/prayer/use-prayer.ts";
import { Button } from "../../design/button.tsx";
import { Icon } from "../../design/icons.tsx";
import { finishGuide } from "./guide.ts";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";

export function DoneStep({ onBack }: StepProps) {
  const { navigation } = useApp();
  const phrases = usePhrases(welcomePhrases);
  const panel = usePrayer();
  const leave = (to: string) => {
    finishGuide();
    navigation.go(to);
  };
  return (
    <StepFrame title={phrases.doneTitle} onBack={onBack}>
      {panel && <Summary {...panel} />}
      <div class="guide-choices">
        <Button kind="primary" icon="check" onClick={() => leave("/")}>
          {phrases.toPlayer}
        </Button>
        <Button onClick={() => leave("/prayer")}>{phrases.toPrayer}</Button>
      </div>
    </StepFrame>
  );
}

function Summary(panel: PanelProps) {
  const language = useLanguage();
  const phrases = usePhrases(welcomePhrases);
  const { prayers } = usePhrases(commonPhrases);
  const { prayer, settings } = panel;
  const points = useTrust(panel).filter(({ mark, say }) => mark !== "good" && say !== "adhanOff");
  const isOn = prayer.config.adhan.enabled;
  const adhan = prayer.extra.upcoming[0];
  const next = adhan ?? prayer.next;
  const willPlay = isOn && verdictOf(points) !== "bad";
  return (
    <>
      {next && (
        <div class="guide-next">
          <Icon name="prayer" />
          <p class="guide-answer">
            {fill(adhan ? phrases.nextAdhan : phrases.nextPrayer, {
              prayer: prayers[next.index] ?? next.name,
              time: wallTimeWords(next.time, settings.time_format_24h, language),
            })}
          </p>
          {willPlay && <p>{phrases.willPlay}</p>}
          {!isOn && <p>{phrases.adhanOff}</p>}
        </div>
      )}
      {points.length > 0 && (
        <section>
          <h2 class="panel-title">{phrases.lookAt}</h2>
          <TrustPoints points={points} rule={settings.timezone} />
        </section>
      )}
    </>
  );
}

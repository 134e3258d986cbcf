import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { wallTimeWords } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { UPLOAD_ADDRESS } from "../../app/library/upload-address.ts";
import { adhanPhrases } from "../../app/prayer/adhan-phrases.ts";
import { hijriWords } from "../../app/prayer/hijri-words.ts";
import { useNextPrayer } from "../../app/prayer/next-prayer.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { isOnlyTone, verdictOf } from "../../app/prayer/trust.ts";
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
  const adhan = panel?.prayer.config.adhan;
  const needsRecording = adhan?.enabled === true && adhan.path === "";
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
        {needsRecording && <Button onClick={() => leave(UPLOAD_ADDRESS)}>{phrases.addRecording}</Button>}
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
  const words = usePhrases(adhanPhrases);
  const trust = useTrust(panel);
  const points = (trust ?? []).filter(({ mark, say }) => mark !== "good" && say !== "adhanOff");
  const isTone = isOnlyTone(points);
  // Said above the list.
  const listed = points.filter(({ say }) => say !== "fileTone");
  const isOn = prayer.config.adhan.enabled;
  const adhan = prayer.extra.upcoming[0];
  const nextPrayer = useNextPrayer();
  const nextAdhan = adhan && {
    name: prayers[adhan.index] ?? adhan.name,
    time: wallTimeWords(adhan.time, settings.time_format_24h, language),
  };
  const next = nextAdhan ?? nextPrayer;
  const willPlay = isOn && trust !== undefined && verdictOf(points) !== "bad";
  return (
    <>
      {next && (
        <div class="guide-next">
          <Icon name="prayer" />
          <p class="guide-answer">
            {fill(adhan && !isTone ? phrases.nextAdhan : phrases.nextPrayer, {
              prayer: next.name,
              time: next.time,
            })}
          </p>
          {willPlay && <p>{isTone ? words.points.fileTone : phrases.willPlay}</p>}
          {!isOn && <p>{phrases.adhanOff}</p>}
        </div>
      )}
      <p class="field-hint">{fill(phrases.hijriToday, { date: hijriWords(prayer.hijri, language) })}</p>
      {listed.length > 0 && (
        <section>
          <h2 class="panel-title">{phrases.lookAt}</h2>
          <TrustPoints points={listed} rule={settings.timezone} />
        </section>
      )}
    </>
  );
}

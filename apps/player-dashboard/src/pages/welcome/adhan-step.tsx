import { useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { wallTimeWords } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { useEntryFocus } from "../../app/places/entry-focus.ts";
import { AdhanFile } from "../../app/prayer/adhan-file.tsx";
import { adhanPhrases } from "../../app/prayer/adhan-phrases.ts";
import { AdhanTest } from "../../app/prayer/adhan-test.tsx";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { canBeCalled, isCalled, PRAYERS, withCall } from "../../app/prayer/prayers.ts";
import { RecordingHint } from "../../app/prayer/recording-hint.tsx";
import { usePrayer } from "../../app/prayer/use-prayer.ts";
import { Button } from "../../design/button.tsx";
import { Switch } from "../../design/fields.tsx";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";

export function AdhanStep({ onNext, onBack }: StepProps) {
  const phrases = usePhrases(welcomePhrases);
  const panel = usePrayer();
  const isOn = panel?.prayer.config.adhan.enabled ?? false;
  return (
    <StepFrame title={phrases.adhanTitle} onBack={onBack} onNext={isOn ? onNext : undefined}>
      <p>{phrases.adhanText}</p>
      {panel && (isOn ? <Calls {...panel} /> : <Question {...panel} onNext={onNext} />)}
    </StepFrame>
  );
}

function Question({ change, onNext }: PanelProps & Pick<StepProps, "onNext">) {
  const phrases = usePhrases(welcomePhrases);
  return (
    <div class="guide-choices">
      <Button kind="primary" icon="check" needsToken onClick={() => change({ adhan: { enabled: true } })}>
        {phrases.switchOn}
      </Button>
      <Button onClick={onNext}>{phrases.withoutAdhan}</Button>
    </div>
  );
}

function Calls({ prayer, settings, change }: PanelProps) {
  const language = useLanguage();
  const phrases = usePhrases(welcomePhrases);
  const words = usePhrases(adhanPhrases);
  const { prayers } = usePhrases(commonPhrases);
  const heading = useEntryFocus<HTMLHeadingElement>();
  const { prayer_mask, path } = prayer.config.adhan;
  return (
    <>
      <Switch label={phrases.adhanIsOn} isOn onChange={(enabled) => change({ adhan: { enabled } })} />
      <section>
        <h2 ref={heading} class="panel-title" tabIndex={-1}>
          {phrases.whichPrayers}
        </h2>
        {PRAYERS.map((name, index) =>
          canBeCalled(index) ? (
            <Switch
              key={name}
              label={prayers[index] ?? name}
              hint={
                prayer.times
                  ? fill(phrases.todayAt, {
                      time: wallTimeWords(prayer.times[name], settings.time_format_24h, language),
                    })
                  : undefined
              }
              isOn={isCalled(prayer_mask, index)}
              onChange={(isOn) => change({ adhan: { prayer_mask: withCall(prayer_mask, index, isOn) } })}
            />
          ) : null,
        )}
      </section>
      <RecordingHint prayer={prayer}>
        <p>{words.getRecording}</p>
      </RecordingHint>
      <ul class="rows">
        <AdhanFile
          label={words.file}
          dialogTitle={words.chooseFile}
          path={path}
          withoutFile={words.tone}
          onChoose={(chosen) => change({ adhan: { path: chosen } })}
        />
      </ul>
      <AdhanTest />
    </>
  );
}

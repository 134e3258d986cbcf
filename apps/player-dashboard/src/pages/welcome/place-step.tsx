import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { nowMs } from "../../app/browser/clock.ts";
import { fill } from "../../app/language/translations.ts";
import { type PlaceChoice, PlacePicker } from "../../app/places/place-picker.tsx";
import { coordinatesWords, positionWords } from "../../app/places/place-words.ts";
import type { Position } from "../../app/places/places.ts";
import { suggestCalculation } from "../../app/places/suggestion.ts";
import { usePlaces } from "../../app/places/use-places.ts";
import { findZoneRule } from "../../app/places/zones.ts";
import { suggestionWords } from "../../app/prayer/suggestion-words.ts";
import { Button } from "../../design/button.tsx";
import { setUp } from "./set-up.ts";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";

export function PlaceStep({ onNext, onBack }: StepProps) {
  const { live } = useApp();
  const phrases = usePhrases(welcomePhrases);
  const [picked, setPicked] = useState<PlaceChoice>();
  const [isOther, setOther] = useState(false);
  const config = live.prayer.value?.config;
  const isKnown = config?.lat !== undefined && config.lng !== undefined && !isOther;
  if (picked) {
    return (
      <StepFrame key="picked" title={phrases.placeIs} onBack={() => setPicked(undefined)}>
        <PickedPlace picked={picked} onDone={onNext} onOther={() => setPicked(undefined)} />
      </StepFrame>
    );
  }
  return (
    <StepFrame key={isKnown ? "known" : "asked"} title={phrases.placeTitle} onBack={onBack}>
      {isKnown ? (
        <>
          <PlaceCard position={{ lat: config.lat ?? 0, lng: config.lng ?? 0 }} />
          <div class="guide-choices">
            <Button kind="primary" icon="check" onClick={onNext}>
              {phrases.keepPlace}
            </Button>
            <Button onClick={() => setOther(true)}>{phrases.otherPlace}</Button>
          </div>
        </>
      ) : (
        <>
          <p>{phrases.placeText}</p>
          <PlacePicker onPick={setPicked} />
        </>
      )}
    </StepFrame>
  );
}

function PlaceCard({ position }: { position: Position }) {
  const language = useLanguage();
  const places = usePlaces();
  const coordinates = coordinatesWords(position, language);
  return <p class="guide-answer">{places ? positionWords(position, places, language) : coordinates}</p>;
}

interface PickedPlaceProps {
  picked: PlaceChoice;
  onDone: () => void;
  onOther: () => void;
}

function PickedPlace({ picked, onDone, onOther }: PickedPlaceProps) {
  const { api, commands, live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(welcomePhrases);
  const [isBusy, setBusy] = useState(false);
  const { lat, lng, zone } = picked;
  const { isOwn: _, ...calculation } = suggestCalculation(picked);
  const words = suggestionWords(suggestCalculation(picked), language);

  async function adopt(): Promise<void> {
    const settings = live.settings.view.value;
    if (!settings) return;
    setBusy(true);
    const place = { lat, lng, ...calculation, rule: findZoneRule(zone) };
    const isDone = await commands.run(() => setUp(api, { place, settings, language, nowMs: nowMs() }));
    setBusy(false);
    if (isDone) onDone();
  }

  return (
    <>
      <PlaceCard position={picked} />
      <ul class="guide-facts">
        {[words.method, ...words.more].map((each) => (
          <li key={each}>{each}</li>
        ))}
        <li>{fill(phrases.zoneThere, { zone })}</li>
      </ul>
      <p class="field-hint">{phrases.laterChange}</p>
      <div class="guide-choices">
        <Button kind="primary" icon="check" needsToken isBusy={isBusy} onClick={() => void adopt()}>
          {phrases.usePlace}
        </Button>
        <Button onClick={onOther}>{phrases.otherPlace}</Button>
      </div>
    </>
  );
}

import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { adoptPlace } from "../../app/places/adopt-place.ts";
import { useEntryFocus } from "../../app/places/entry-focus.ts";
import { type PlaceChoice, PlacePicker } from "../../app/places/place-picker.tsx";
import { coordinatesWords, positionWords } from "../../app/places/place-words.ts";
import { suggestCalculation } from "../../app/places/suggestion.ts";
import { usePlaces } from "../../app/places/use-places.ts";
import { findZoneRule } from "../../app/places/zones.ts";
import { suggestionWords } from "../../app/prayer/suggestion-words.ts";
import { Button } from "../../design/button.tsx";
import { Switch } from "../../design/fields.tsx";
import { Dialog } from "../../design/layout.tsx";
import { prayerPhrases } from "./prayer-phrases.ts";

/** Asks for the place first, then for the settings that depend on it. */
export function PlaceDialog({ onClose }: { onClose: () => void }) {
  const phrases = usePhrases(prayerPhrases);
  const [picked, setPicked] = useState<PlaceChoice>();
  return (
    <Dialog title={phrases.changePlace} onClose={onClose}>
      {picked ? (
        <Confirm picked={picked} onBack={() => setPicked(undefined)} onDone={onClose} />
      ) : (
        <PlacePicker onPick={setPicked} />
      )}
    </Dialog>
  );
}

interface ConfirmProps {
  picked: PlaceChoice;
  onBack: () => void;
  onDone: () => void;
}

function Confirm({ picked, onBack, onDone }: ConfirmProps) {
  const { api, commands, notices } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(prayerPhrases);
  const places = usePlaces();
  const heading = useEntryFocus<HTMLParagraphElement>();
  const [takesMethod, setTakesMethod] = useState(true);
  const [takesZone, setTakesZone] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const { lat, lng, zone } = picked;
  const { isOwn: _, ...calculation } = suggestCalculation(picked);
  const words = suggestionWords(suggestCalculation(picked), language);
  const place = places ? positionWords(picked, places, language) : coordinatesWords(picked, language);

  async function adopt(): Promise<void> {
    setBusy(true);
    const suggested = takesMethod ? calculation : {};
    const rule = takesZone ? findZoneRule(zone) : undefined;
    const isDone = await commands.run(() => adoptPlace(api, { lat, lng, rule, ...suggested }));
    setBusy(false);
    if (!isDone) return;
    notices.show("done", fill(phrases.placeSet, { place }));
    onDone();
  }

  return (
    <div class="stack">
      <p ref={heading} class="place-now" tabIndex={-1}>
        {fill(phrases.usePlace, { place })}
      </p>
      <Switch
        label={words.method}
        hint={[...words.more, phrases.takeMethodHint].join(" ")}
        isOn={takesMethod}
        onChange={setTakesMethod}
      />
      <Switch
        label={fill(phrases.takeZone, { zone })}
        hint={phrases.takeZoneHint}
        isOn={takesZone}
        onChange={setTakesZone}
      />
      <div class="actions">
        <Button kind="primary" icon="check" needsToken isBusy={isBusy} onClick={() => void adopt()}>
          {phrases.confirmPlace}
        </Button>
        <Button kind="quiet" onClick={onBack}>
          {phrases.otherPlace}
        </Button>
      </div>
    </div>
  );
}

import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { coordinatesWords, positionWords } from "../../app/places/place-words.ts";
import { nearestPlace, type Position } from "../../app/places/places.ts";
import { usePlaces } from "../../app/places/use-places.ts";
import { findZoneRule, formatRuleOffset } from "../../app/places/zones.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { Button } from "../../design/button.tsx";
import { Panel } from "../../design/layout.tsx";
import { PlaceDialog } from "./place-dialog.tsx";
import { prayerPhrases } from "./prayer-phrases.ts";

export function PlacePanel({ prayer: { config }, settings }: PanelProps) {
  const phrases = usePhrases(prayerPhrases);
  const [isChanging, setChanging] = useState(false);
  const { lat, lng } = config;
  return (
    <Panel title={phrases.place}>
      <div class="stack">
        {lat !== undefined && lng !== undefined && <Where position={{ lat, lng }} rule={settings.timezone} />}
        <div class="actions">
          <Button icon="compass" needsToken onClick={() => setChanging(true)}>
            {phrases.changePlace}
          </Button>
        </div>
      </div>
      {isChanging && <PlaceDialog onClose={() => setChanging(false)} />}
    </Panel>
  );
}

function Where({ position, rule }: { position: Position; rule: string }) {
  const language = useLanguage();
  const { zone } = usePhrases(prayerPhrases);
  const places = usePlaces();
  const { live } = useApp();
  const near = places && nearestPlace(places, position)?.zone;
  const zoneWords = near && findZoneRule(near) === rule ? near : formatRuleOffset(rule, live.deviceNowMs());
  const coordinates = coordinatesWords(position, language);
  const name = places ? positionWords(position, places, language) : coordinates;
  return (
    <div>
      <p class="place-now">{name}</p>
      {name !== coordinates && <p class="row-aside">{coordinates}</p>}
      <p class="row-aside">
        {zone}: <bdi dir="ltr">{zoneWords}</bdi>
      </p>
    </div>
  );
}

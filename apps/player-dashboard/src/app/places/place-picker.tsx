import { useMemo, useState } from "preact/hooks";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { useLanguage, usePhrases } from "../app.ts";
import { counted } from "../language/numbers.ts";
import { CoordinatesForm } from "./coordinates-form.tsx";
import { LocationButton } from "./location-button.tsx";
import { canTellLocation } from "./phone-location.ts";
import { createPlaceSearch } from "./place-search.ts";
import { countryName, nearestPlace, type Place, type Position, placeName, placesInZone, zoneNear } from "./places.ts";
import { placesPhrases } from "./places-phrases.ts";
import { usePlaces } from "./use-places.ts";
import { isSameZone, readBrowserZone } from "./zones.ts";
import "./places.css";

/** The chosen place and its derived data. */
export interface PlaceChoice extends Position {
  /** Such as Asia/Riyadh. */
  zone: string;
  /** Two letters; empty where it is not known. */
  country: string;
}

const MAX_FOUND_PLACES = 6;
const MAX_NEAR_PLACES = 4;

/** A city by its name, the phone's own location, or coordinates. */
export function PlacePicker({ onPick }: { onPick: (picked: PlaceChoice) => void }) {
  const phrases = usePhrases(placesPhrases);
  const places = usePlaces();
  const [typed, setTyped] = useState("");
  const [isTypingCoordinates, setTypingCoordinates] = useState(false);

  /** A phone's location has the phone's time zone; typed coordinates may be in another country. */
  function pickPosition(position: Position, isHere: boolean): void {
    const known = places ?? [];
    const zone = isHere ? readBrowserZone() : zoneNear(known, position, readBrowserZone());
    onPick({ ...position, zone, country: nearestPlace(known, position)?.country ?? "" });
  }

  return (
    <div class="stack">
      <TextField label={phrases.city} hint={phrases.cityHint} type="search" value={typed} onInput={setTyped} />
      {places ? (
        <Results places={places} typed={typed} onPick={onPick} />
      ) : (
        <div class="waiting waiting-tall" aria-busy="true" />
      )}
      <div class="actions">
        {canTellLocation() && <LocationButton onFound={(position) => pickPosition(position, true)} />}
        {!isTypingCoordinates && (
          <Button kind="quiet" icon="globe" onClick={() => setTypingCoordinates(true)}>
            {phrases.typeCoordinates}
          </Button>
        )}
      </div>
      {isTypingCoordinates && <CoordinatesForm onEnter={(position) => pickPosition(position, false)} />}
    </div>
  );
}

interface ResultsProps {
  places: readonly Place[];
  typed: string;
  onPick: (picked: PlaceChoice) => void;
}

function Results({ places, typed, onPick }: ResultsProps) {
  const language = useLanguage();
  const phrases = usePhrases(placesPhrases);
  const search = useMemo(() => createPlaceSearch(places), [places]);
  const isSearching = typed.trim() !== "";
  const near = useMemo(() => {
    const here = readBrowserZone();
    return placesInZone(places, (zone) => isSameZone(zone, here)).slice(0, MAX_NEAR_PLACES);
  }, [places]);
  const shown = isSearching ? search(typed, MAX_FOUND_PLACES) : near;
  return (
    <div>
      <p class="screen-reader-only" role="status">
        {isSearching && counted(shown.length, phrases.found, language)}
      </p>
      {!isSearching && near.length > 0 && <p class="field-hint">{phrases.nearYou}</p>}
      {isSearching && shown.length === 0 && <p>{phrases.nothing}</p>}
      <ul class="places" aria-label={phrases.results}>
        {shown.map((place) => (
          <li key={`${place.zone} ${place.name}`}>
            <PlaceOption place={place} onPick={onPick} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function PlaceOption({ place, onPick }: { place: Place; onPick: (picked: PlaceChoice) => void }) {
  const language = useLanguage();
  const other = placeName(place, language === "ar" ? "en" : "ar");
  const name = placeName(place, language);
  const { lat, lng, zone, country } = place;
  return (
    <button type="button" class="place" onClick={() => onPick({ lat, lng, zone, country })}>
      <span class="place-name">
        {name} {other !== name && <bdi class="place-other">{other}</bdi>}
      </span>
      <span class="row-aside">{countryName(country, language)}</span>
    </button>
  );
}

import { useState } from "preact/hooks";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { usePhrases } from "../app.ts";
import { readCoordinate } from "./coordinate.ts";
import type { Position } from "./places.ts";
import { placesPhrases } from "./places-phrases.ts";

export function CoordinatesForm({ onEnter }: { onEnter: (position: Position) => void }) {
  const phrases = usePhrases(placesPhrases);
  const [typedLat, setTypedLat] = useState("");
  const [typedLng, setTypedLng] = useState("");
  const [isTried, setTried] = useState(false);
  const lat = readCoordinate(typedLat, 90);
  const lng = readCoordinate(typedLng, 180);
  return (
    <form
      class="coordinates"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (lat !== undefined && lng !== undefined) onEnter({ lat, lng });
      }}
    >
      <TextField
        label={phrases.latitude}
        hint={phrases.latitudeHint}
        value={typedLat}
        onInput={setTypedLat}
        isLatin
        error={isTried && lat === undefined ? phrases.badLatitude : undefined}
      />
      <TextField
        label={phrases.longitude}
        hint={phrases.longitudeHint}
        value={typedLng}
        onInput={setTypedLng}
        isLatin
        error={isTried && lng === undefined ? phrases.badLongitude : undefined}
      />
      <div class="actions">
        <Button type="submit" kind="primary">
          {phrases.useCoordinates}
        </Button>
      </div>
    </form>
  );
}

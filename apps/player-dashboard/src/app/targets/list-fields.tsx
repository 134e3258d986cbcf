import { SelectField, TextField } from "../../design/fields.tsx";
import { useApp, useLanguage, usePhrases, useResource } from "../app.ts";
import { Loaded } from "../status/loaded.tsx";
import type { DraftProps } from "./target-draft.ts";
import { favoriteWords } from "./target-words.ts";
import { targetsPhrases } from "./targets-phrases.ts";

export function StationField({ draft, change }: DraftProps) {
  const { live } = useApp();
  const phrases = usePhrases(targetsPhrases);
  return (
    <Loaded reading={useResource(live.stations)} refresh={live.stations.refresh}>
      {(stations) => (
        <NumberedField
          label={phrases.station}
          none={phrases.noStations}
          chosen={draft.stationId}
          items={stations.map(({ id, name }) => ({ id, words: name }))}
          onChange={(stationId) => change({ stationId })}
        />
      )}
    </Loaded>
  );
}

export function FavoriteField({ draft, change }: DraftProps) {
  const { live } = useApp();
  const phrases = usePhrases(targetsPhrases);
  const language = useLanguage();
  return (
    <Loaded reading={useResource(live.favorites)} refresh={live.favorites.refresh}>
      {(favorites) => (
        <NumberedField
          label={phrases.favorite}
          none={phrases.noFavorites}
          chosen={draft.favoriteId}
          items={favorites.map((favorite) => ({ id: favorite.id, words: favoriteWords(favorite, language) }))}
          onChange={(favoriteId) => change({ favoriteId })}
        />
      )}
    </Loaded>
  );
}

interface NumberedFieldProps {
  label: string;
  /** Shown when the list is empty. */
  none: string;
  chosen: number;
  items: readonly { id: number; words: string }[];
  onChange: (id: number) => void;
}

function NumberedField({ label, none, chosen, items, onChange }: NumberedFieldProps) {
  const { choose } = usePhrases(targetsPhrases);
  if (items.length === 0) return <p class="field-hint">{none}</p>;
  // An earlier choice may have been removed since.
  const known = items.some(({ id }) => id === chosen) ? chosen : 0;
  const options = items.map(({ id, words }) => ({ value: String(id), label: words }));
  return (
    <SelectField
      label={label}
      value={String(known)}
      options={known === 0 ? [{ value: "0", label: choose, disabled: true }, ...options] : options}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

export function StreamFields({ draft, change }: DraftProps) {
  const phrases = usePhrases(targetsPhrases);
  return (
    <>
      <TextField
        label={phrases.address}
        hint={phrases.addressHint}
        type="url"
        isLatin
        maxLength={1024}
        value={draft.url}
        onInput={(url) => change({ url })}
      />
      <TextField
        label={phrases.addressName}
        hint={phrases.addressNameHint}
        maxLength={100}
        value={draft.name}
        onInput={(name) => change({ name })}
      />
    </>
  );
}

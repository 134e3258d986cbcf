import type { StationBody } from "@player/service/contract/stations";
import { useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { fill, isolated } from "../../app/language/translations.ts";
import { useInstantWords } from "../../app/time/use-instant-words.ts";
import { IconButton } from "../../design/button.tsx";
import { radioPhrases } from "./radio-phrases.ts";
import { findStreamUrl } from "./stream.ts";

export interface StationRowProps {
  station: StationBody;
  isFavorite: boolean;
  onRemove: () => void;
}

export function StationRow({ station, isFavorite, onRemove }: StationRowProps) {
  const { api, live, commands } = useApp();
  const phrases = usePhrases(radioPhrases);
  const isCurrent = findStreamUrl(live.playback.view.value) === station.url;
  const named = (phrase: string) => fill(phrase, { station: isolated(station.name) });
  return (
    <li class={isCurrent ? "station station-current" : "station"}>
      <IconButton
        icon="play"
        label={named(phrases.play)}
        kind="primary"
        needsToken
        onClick={() => void commands.run(() => api.post("/playback/play", { url: station.url }))}
      />
      <div class="row-words">
        <strong>
          <bdi>{station.name}</bdi>
        </strong>
        <span class="row-aside">
          <LastPlayed station={station} isCurrent={isCurrent} />
        </span>
        <span class="station-url" dir="ltr">
          {station.url}
        </span>
      </div>
      <div class="station-actions">
        <FavoriteButton station={station} isFavorite={isFavorite} label={named(phrases.favorite)} />
        <IconButton icon="bin" label={named(phrases.remove)} needsToken onClick={onRemove} />
      </div>
    </li>
  );
}

function LastPlayed({ station, isCurrent }: Pick<StationRowProps, "station"> & { isCurrent: boolean }) {
  const phrases = usePhrases(radioPhrases);
  const instantWords = useInstantWords();
  if (isCurrent) return <>{phrases.playsNow}</>;
  const { last_ok, last_played } = station;
  if (last_ok !== null) return <>{fill(phrases.playedAt, { when: instantWords(last_ok) })}</>;
  return <>{last_played === null ? phrases.neverPlayed : phrases.neverWorked}</>;
}

/** Changes immediately, and reverts when the device refuses. */
function FavoriteButton({
  station: { url, name },
  isFavorite,
  label,
}: Pick<StationRowProps, "station" | "isFavorite"> & { label: string }) {
  const { api, live, commands } = useApp();
  const [wanted, setWanted] = useState<boolean>();
  const isOn = wanted ?? isFavorite;
  const toggle = async () => {
    setWanted(!isOn);
    await commands.run(async () => {
      await api.post("/favorites/toggle", { type: "stream", url, name });
      await live.favorites.refresh();
    });
    setWanted(undefined);
  };
  return (
    <IconButton
      icon={isOn ? "heartFull" : "heart"}
      label={label}
      isPressed={isOn}
      needsToken
      onClick={() => void toggle()}
    />
  );
}

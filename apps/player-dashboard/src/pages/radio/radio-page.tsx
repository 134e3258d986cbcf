import type { StationBody } from "@player/service/contract/stations";
import { useState } from "preact/hooks";
import { useApp, usePhrases, useResource } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { lastOf } from "../../app/live/resource.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { Button } from "../../design/button.tsx";
import { EmptyState, PageTitle, Panel } from "../../design/layout.tsx";
import { CurrentStream } from "./current-stream.tsx";
import { radioPhrases } from "./radio-phrases.ts";
import { RemoveStation } from "./remove-station.tsx";
import { type Draft, StationForm } from "./station-form.tsx";
import { StationRow } from "./station-row.tsx";
import "./radio.css";

export function RadioPage() {
  const { live } = useApp();
  const phrases = usePhrases(radioPhrases);
  const shell = usePhrases(commonPhrases);
  const stations = useResource(live.stations);
  const [draft, setDraft] = useState<Draft>();
  const [doomed, setDoomed] = useState<StationBody>();
  const startNew = () => setDraft({ name: "", url: "" });
  return (
    <>
      <PageTitle
        back={{ to: "/more", label: shell.more }}
        actions={
          <Button kind="primary" icon="plus" needsToken onClick={startNew}>
            {phrases.add}
          </Button>
        }
      >
        {shell.radio}
      </PageTitle>
      <div class="panels">
        <CurrentStream stations={lastOf(stations) ?? []} onSave={(url) => setDraft({ name: "", url })} />
        <Loaded reading={stations} refresh={live.stations.refresh}>
          {(list) => <Stations stations={list} onAdd={startNew} onRemove={setDoomed} />}
        </Loaded>
      </div>
      {draft && <StationForm initial={draft} onClose={() => setDraft(undefined)} />}
      {doomed && <RemoveStation station={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  );
}

interface StationsProps {
  stations: readonly StationBody[];
  onAdd: () => void;
  onRemove: (station: StationBody) => void;
}

function Stations({ stations, onAdd, onRemove }: StationsProps) {
  const { live } = useApp();
  const phrases = usePhrases(radioPhrases);
  const favorites = lastOf(useResource(live.favorites)) ?? [];
  if (stations.length === 0) {
    return (
      <EmptyState icon="radio" title={phrases.none}>
        <p>{phrases.noneHint}</p>
        <Button kind="primary" icon="plus" needsToken onClick={onAdd}>
          {phrases.addFirst}
        </Button>
      </EmptyState>
    );
  }
  return (
    <Panel title={phrases.stations}>
      <ul class="rows">
        {stations.map((station) => (
          <StationRow
            key={station.id}
            station={station}
            isFavorite={favorites.some(({ type, url }) => type === "stream" && url === station.url)}
            onRemove={() => onRemove(station)}
          />
        ))}
      </ul>
    </Panel>
  );
}

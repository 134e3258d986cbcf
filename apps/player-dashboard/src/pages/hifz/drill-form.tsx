import type { SurahsBody } from "@player/service/contract/library";
import type { PlaybackStatus } from "@player/service/contract/playback";
import { useState } from "preact/hooks";
import { useLanguage, usePhrases, useResource } from "../../app/app.ts";
import { counted } from "../../app/language/numbers.ts";
import { useSurahs } from "../../app/library/surahs.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { Button } from "../../design/button.tsx";
import { Choice, SelectField } from "../../design/fields.tsx";
import { Panel } from "../../design/layout.tsx";
import { countSkipped, type Drill, findDrillProblem, toDrill } from "./drill.ts";
import { HearingsField, SilenceField } from "./drill-numbers.tsx";
import { hifzPhrases } from "./hifz-phrases.ts";
import { useStartDrill } from "./start-drill.ts";
import { SurahField } from "./surah-field.tsx";

interface DrillFormProps {
  reciters: readonly string[];
  status: PlaybackStatus;
  onStarted: () => void;
}

/** Chooses what is repeated, and starts it. */
export function DrillForm({ reciters, status, onStarted }: DrillFormProps) {
  const phrases = usePhrases(hifzPhrases);
  const [chosen, setReciter] = useState(status.reciter);
  const [drill, setDrill] = useState(() => toDrill(status));
  const reciter = reciters.includes(chosen) ? chosen : (reciters[0] ?? "");
  const surahs = useSurahs(reciter);
  const reading = useResource(surahs);
  return (
    <Panel title={phrases.newDrill}>
      <div class="stack">
        <SelectField
          label={phrases.reciter}
          value={reciter}
          options={reciters.map((name) => ({ value: name, label: name }))}
          onChange={setReciter}
        />
        <Loaded reading={reading} refresh={surahs.refresh}>
          {(body) => <DrillFields key={reciter} body={body} drill={drill} onChange={setDrill} onStarted={onStarted} />}
        </Loaded>
      </div>
    </Panel>
  );
}

interface DrillFieldsProps {
  body: SurahsBody;
  drill: Drill;
  onChange: (drill: Drill) => void;
  onStarted: () => void;
}

function DrillFields({ body, drill, onChange, onStarted }: DrillFieldsProps) {
  const phrases = usePhrases(hifzPhrases);
  const change = (part: Partial<Drill>) => onChange({ ...drill, ...part });
  const isRange = drill.scope === "range";
  return (
    <>
      <Choice<Drill["scope"]>
        label={phrases.scope}
        value={drill.scope}
        options={[
          { value: "surah", label: phrases.oneSurah },
          { value: "range", label: phrases.range },
        ]}
        // Endless is for a single surah only: an endless range would never leave its first surah.
        onChange={(scope) => change({ scope, repeat: scope === "range" ? Math.max(1, drill.repeat) : drill.repeat })}
      />
      <div class="drill-surahs">
        <SurahField
          label={isRange ? phrases.from : phrases.surah}
          body={body}
          value={drill.from}
          onChange={(from) => change({ from })}
        />
        {isRange && <SurahField label={phrases.to} body={body} value={drill.to} onChange={(to) => change({ to })} />}
      </div>
      <HearingsField drill={drill} onChange={(repeat) => change({ repeat })} />
      <SilenceField pause_s={drill.pause_s} onChange={(pause_s) => change({ pause_s })} />
      <StartButton body={body} drill={drill} onStarted={onStarted} />
    </>
  );
}

function StartButton({ body, drill, onStarted }: Omit<DrillFieldsProps, "onChange">) {
  const language = useLanguage();
  const phrases = usePhrases(hifzPhrases);
  const { start, isStarting } = useStartDrill();
  const refusal = findDrillProblem(drill, body.available);
  const skipped = countSkipped(drill, body.available);

  async function begin(): Promise<void> {
    if (await start(body, drill)) onStarted();
  }

  return (
    <div class="drill-start">
      <p role="status" class={refusal ? "field-error" : "field-hint"}>
        {refusal && phrases.refusals[refusal]}
        {!refusal && skipped > 0 && counted(skipped, phrases.skipped, language)}
      </p>
      <Button
        kind="primary"
        icon="repeat"
        needsToken
        isBusy={isStarting}
        disabled={refusal !== undefined}
        onClick={() => void begin()}
      >
        {phrases.start}
      </Button>
    </div>
  );
}

import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { useMay } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { useModeReading } from "../../../app/mode/use-mode.ts";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge } from "../../../design/chip.tsx";
import { Facts, Panel } from "../../../design/panel.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { listAllowances } from "./allowances.ts";
import { ProofPanel } from "./proof-panel.tsx";
import { runtimePhrases } from "./runtime-phrases.ts";
import "./runtime.css";

function Meaning({ name, meaning }: { name: string; meaning: string }) {
  return (
    <>
      <strong>{name}</strong> <span className="runtime-meaning">{meaning}</span>
    </>
  );
}

function Truth({ truth }: { truth: RuntimeTruthBody }) {
  const words = usePhrases(runtimePhrases);
  return (
    <>
      <Panel title={words.mode}>
        <Meaning {...words.modes[truth.mode]} />
      </Panel>
      <Panel title={words.data}>
        <Facts
          items={[
            {
              label: words.database,
              value: <Meaning {...(truth.is_database_available ? words.databaseUp : words.databaseDown)} />,
            },
            { label: words.reads, value: <Meaning {...words.sources[truth.read_data_source]} /> },
          ]}
        />
      </Panel>
      <Panel title={words.allowed}>
        <Facts
          items={listAllowances(truth, words).map(({ name, isAllowed, meaning }) => ({
            label: name,
            value: (
              <>
                <Badge tone={isAllowed ? "ok" : "plain"}>{isAllowed ? words.yes : words.no}</Badge>{" "}
                <span className="runtime-meaning">{meaning}</span>
              </>
            ),
          }))}
        />
      </Panel>
    </>
  );
}

/** The current mode of the platform, and what it allows. */
export function RuntimePage() {
  const words = usePhrases(runtimePhrases);
  const time = useTime();
  const { truth, readAt } = useModeReading();
  const mayProve = useMay("all-sites");
  return (
    <SettingsPage
      tab="runtime"
      title={words.title}
      tools={
        <span className="runtime-meaning">
          {readAt ? fill(words.checked, { time: time.time(readAt) }) : words.notChecked}
        </span>
      }
    >
      <div className="runtime-panels">
        {truth ? <Truth truth={truth} /> : <Skeleton rows={6} />}
        {mayProve && <ProofPanel />}
      </div>
    </SettingsPage>
  );
}

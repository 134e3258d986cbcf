import type { SystemBody } from "@player/service/contract/system";
import { bytesWords } from "../../app/language/bytes.ts";
import { Panel } from "../../design/layout.tsx";
import type { SystemPhrases } from "./system-phrases.ts";
import { storageFreeWords, storageUsedWords } from "./words.ts";

function Waiting() {
  return <span class="waiting" aria-hidden="true" />;
}

/** A gauge; the text next to it says the same. */
function Gauge({ used, total }: { used: number; total: number }) {
  const usedPercent = total > 0 ? Math.min(100, (100 * used) / total) : 0;
  return (
    <svg class="gauge" aria-hidden="true">
      <rect class="gauge-used" width={`${usedPercent}%`} height="100%" rx="5" />
    </svg>
  );
}

function StorageReading({ nvs, phrases }: { nvs: SystemBody["nvs"]; phrases: SystemPhrases }) {
  return (
    <>
      <span class="reading-value">{storageUsedWords(nvs, phrases)}</span>
      <Gauge used={nvs.used_entries} total={nvs.total_entries} />
      <span class="reading-aside">{storageFreeWords(nvs, phrases)}</span>
    </>
  );
}

export function Readings({ system, phrases }: { system: SystemBody | undefined; phrases: SystemPhrases }) {
  return (
    <Panel title={phrases.readings}>
      <dl class="reading-list">
        <div class="reading">
          <dt>{phrases.version}</dt>
          <dd>{system ? <bdi class="reading-value">{system.version}</bdi> : <Waiting />}</dd>
        </div>
        <div class="reading">
          <dt>{phrases.freeMemory}</dt>
          <dd>
            {system ? <span class="reading-value">{bytesWords(system.free_heap, phrases.language)}</span> : <Waiting />}
          </dd>
        </div>
        <div class="reading reading-wide">
          <dt>{phrases.storage}</dt>
          <dd>{system ? <StorageReading nvs={system.nvs} phrases={phrases} /> : <Waiting />}</dd>
        </div>
      </dl>
    </Panel>
  );
}

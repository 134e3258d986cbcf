import type { SystemBody } from "@player/service/contract/system";
import { Panel } from "../../design/layout.tsx";
import type { SystemPhrases } from "./system-phrases.ts";
import { memoryWords, storageWords } from "./words.ts";

function Waiting() {
  return <span class="waiting" aria-hidden="true" />;
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
          <dd>{system ? <span class="reading-value">{memoryWords(system.free_heap, phrases)}</span> : <Waiting />}</dd>
        </div>
        <div class="reading">
          <dt>{phrases.storage}</dt>
          <dd>{system ? <span class="reading-value">{storageWords(system.nvs, phrases)}</span> : <Waiting />}</dd>
        </div>
      </dl>
    </Panel>
  );
}

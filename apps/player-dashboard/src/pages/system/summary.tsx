import type { SystemBody } from "@player/service/contract/system";
import { startUpWords } from "../../app/system/start-up-words.ts";
import { Mark } from "../../design/mark.tsx";
import type { SystemPhrases } from "./system-phrases.ts";
import { uptimeWords } from "./words.ts";

function judgeCondition({ boot_failures, warnings }: SystemBody): "well" | "noted" | "hurt" {
  if (boot_failures.length > 0) return "hurt";
  return warnings.length > 0 ? "noted" : "well";
}

export function Summary({ system, phrases }: { system: SystemBody | undefined; phrases: SystemPhrases }) {
  return (
    <section class="summary" aria-labelledby="running-for">
      <Mark />
      <h2 id="running-for" class="summary-label">
        {phrases.runningFor}
      </h2>
      {system ? (
        <>
          <p class="summary-value">{uptimeWords(system.uptime, phrases)}</p>
          <p class={`condition condition-${judgeCondition(system)}`}>{startUpWords(system, phrases.language)}</p>
        </>
      ) : (
        <>
          <p class="summary-value waiting" aria-hidden="true" />
          <p class="condition">{phrases.loading}</p>
        </>
      )}
    </section>
  );
}

import type { SystemBody } from "@player/service/contract/system";
import { Panel } from "../../design/layout.tsx";
import type { SystemPhrases } from "./system-phrases.ts";
import { failureWords } from "./words.ts";

function Failure({ component, error, phrases }: SystemBody["boot_failures"][number] & { phrases: SystemPhrases }) {
  const { didNotStart, meaning } = failureWords(component, phrases);
  return (
    <li class="issue issue-hurt">
      <h3 class="issue-title">{didNotStart}</h3>
      {meaning && <p>{meaning}</p>}
      <p class="issue-reason">
        {phrases.reason}{" "}
        <bdi lang="en" dir="ltr">
          {error}
        </bdi>
      </p>
    </li>
  );
}

function Started({ hasWarnings, phrases }: { hasWarnings: boolean; phrases: SystemPhrases }) {
  return (
    <div class="all-well">
      <p class="all-well-title">{phrases.everythingStarted}</p>
      {!hasWarnings && <p>{phrases.everythingStartedHint}</p>}
    </div>
  );
}

function Issues({ boot_failures, warnings, phrases }: SystemBody & { phrases: SystemPhrases }) {
  return (
    <>
      {boot_failures.length > 0 ? (
        <ul class="issues">
          {boot_failures.map((failure) => (
            <Failure key={failure.component} {...failure} phrases={phrases} />
          ))}
        </ul>
      ) : (
        <Started hasWarnings={warnings.length > 0} phrases={phrases} />
      )}
      {warnings.length > 0 && (
        <>
          <h3 class="issues-title">{phrases.warnings}</h3>
          <ul class="issues">
            {warnings.map((warning) => (
              <li key={warning} class="issue issue-noted">
                <bdi lang="en" dir="ltr">
                  {warning}
                </bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

export function StartUp({ system, phrases }: { system: SystemBody | undefined; phrases: SystemPhrases }) {
  return (
    <Panel title={phrases.startUp}>
      {system ? <Issues {...system} phrases={phrases} /> : <div class="waiting waiting-tall" aria-hidden="true" />}
    </Panel>
  );
}

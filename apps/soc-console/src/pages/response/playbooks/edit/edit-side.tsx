import type { ReactNode } from "react";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { Leaving } from "../../../../app/playbooks/step-rail.tsx";
import { useActions } from "../../../../app/playbooks/use-actions.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Panel } from "../../../../design/panel.tsx";
import { StatusDot } from "../../../../design/severity.tsx";
import { playbooksPhrases } from "../playbooks-phrases.ts";
import { listParameters } from "./complete-yaml.ts";
import type { Validation } from "./use-validation.ts";

export interface Place {
  line: number;
  column: number;
}

export interface EditSideProps {
  validation: Validation | undefined;
  isChecking: boolean;
  /** The user selected a problem: the cursor moves there. */
  onPlace: (place: Place) => void;
  save: ReactNode;
  difference: ReactNode;
}

/** Beside the editor: validation, preview, diff, and the available actions. */
export function EditSide({ validation, isChecking, onPlace, save, difference }: EditSideProps) {
  const words = usePhrases(playbooksPhrases);
  return (
    <aside className="playbooks-side">
      <div className="playbooks-line">
        {save}
        <Verdict validation={validation} isChecking={isChecking} />
      </div>
      {validation?.error && <FailedPart error={validation.error} />}
      {validation && validation.problems.length > 0 && (
        <section aria-label={words.problems}>
          <ul className="playbooks-problems">
            {validation.problems.map(({ field, message, line, column }) => (
              <li key={`${field} ${line} ${column} ${message}`}>
                {line !== null && (
                  <button type="button" onClick={() => onPlace({ line, column: column ?? 1 })}>
                    {line}:{column}
                  </button>
                )}{" "}
                {field !== undefined && <SafeText isMono>{field}</SafeText>} <SafeText>{message}</SafeText>
              </li>
            ))}
          </ul>
        </section>
      )}
      {difference && <Panel title={words.difference}>{difference}</Panel>}
      <Actions />
    </aside>
  );
}

function Verdict({ validation, isChecking }: Pick<EditSideProps, "validation" | "isChecking">) {
  const words = usePhrases(playbooksPhrases);
  const numbers = useNumbers();
  const problems = validation?.problems.length ?? 0;
  const { found } = validation ?? {};
  const text = () => {
    if (isChecking) return words.checking;
    if (problems > 0) return numbers.count(problems, words.problemCount);
    if (!found) return "";
    return `${words.valid} · ${numbers.count(found.steps_total, words.steps)} · ${found.critical ? words.critical : words.noGate}`;
  };
  return (
    <span className="run-sign" role="status">
      {!isChecking && validation && (
        <StatusDot shape={problems > 0 ? "cross" : "check"} tone={problems > 0 ? "failed" : "ok"} />
      )}
      {text()}
    </span>
  );
}

/** Every action with its parameters; the editor completes their names. */
function Actions() {
  const words = usePhrases(playbooksPhrases);
  const actions = useActions();
  return (
    <details className="playbooks-actions">
      <summary>{words.actions}</summary>
      <dl>
        {[...actions.values()].map((action) => (
          <div key={action.name}>
            <dt className="mono">
              {action.name} {action.leaves_platform && <Leaving />}
              {action.is_critical && <span className="soft"> · {words.critical}</span>}
            </dt>
            <dd className="mono soft">
              {listParameters(action)
                .map(({ name, isRequired }) => (isRequired ? `${name}*` : name))
                .join(" ")}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

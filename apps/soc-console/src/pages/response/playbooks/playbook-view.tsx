import { Link } from "../../../app/address/link.tsx";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import type { Playbook, PlaybookStep } from "../../../app/playbooks/playbooks-client.ts";
import { buildStepLines, type StepLine } from "../../../app/playbooks/step-lines.ts";
import { Leaving, StepRail, useStepCursor } from "../../../app/playbooks/step-rail.tsx";
import { StepValue } from "../../../app/playbooks/step-value.tsx";
import { useActions } from "../../../app/playbooks/use-actions.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Facts, Panel } from "../../../design/panel.tsx";
import { findDestination } from "./find-destination.ts";
import { playbooksPhrases } from "./playbooks-phrases.ts";

/** A playbook as it would run: its steps, their inputs, and the outside effects. */
export function PlaybookView({ playbook }: { playbook: Playbook }) {
  const words = usePhrases(playbooksPhrases);
  const actions = useActions();
  const lines = buildStepLines(playbook.steps, actions);
  const { selected, line, choose } = useStepCursor(lines, lines[0]?.id, "playbook");
  return (
    <div className="playbooks-body">
      <div>
        {playbook.description !== "" && (
          <p className="playbooks-about">
            <SafeText>{playbook.description}</SafeText>
          </p>
        )}
        <StepRail lines={lines} selected={selected} onSelect={choose} />
      </div>
      <aside className="playbooks-side">
        <Outgoing lines={lines} />
        {line?.step && <StepPart line={line} step={line.step} key={line.id} />}
        <Inputs playbook={playbook} />
        <Panel title={words.facts}>
          <Facts
            items={[
              { label: words.trigger, value: <SafeText>{playbook.trigger}</SafeText> },
              { label: words.version, value: playbook.version },
              { label: words.changedBy, value: <SafeText>{playbook.updated_by}</SafeText> },
            ]}
          />
          <Link to="/runs" search={{ playbook: playbook.id }}>
            {words.itsRuns}
          </Link>
        </Panel>
      </aside>
    </div>
  );
}

/** The outside effects, shown before anything runs. */
function Outgoing({ lines }: { lines: readonly StepLine[] }) {
  const words = usePhrases(playbooksPhrases);
  const leaving = lines.filter((line) => line.isLeaving || line.isUndoLeaving);
  return (
    <Panel title={words.wouldLeave}>
      {leaving.length === 0 && <p className="soft">{words.staysInside}</p>}
      <ul className="playbooks-leaving">
        {leaving.map((line) => (
          <li key={line.id}>
            {line.isLeaving && (
              <p>
                {line.number} <SafeText isMono>{line.action}</SafeText> <Leaving />{" "}
                <SafeText isMono>{findDestination(line.step?.params)}</SafeText>
              </p>
            )}
            {line.isUndoLeaving && (
              <p className="soft">
                {line.number} {words.undo} <SafeText isMono>{line.undo ?? ""}</SafeText> <Leaving />{" "}
                <SafeText isMono>{findDestination(line.step?.compensate?.params)}</SafeText>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function StepPart({ line, step }: { line: StepLine; step: PlaybookStep }) {
  const words = usePhrases(playbooksPhrases);
  const time = useTime();
  const { params, when, timeout_s, retries, on_error, compensate } = step;
  return (
    <section className="step-detail" aria-label={words.step}>
      <h2>
        {line.number} <SafeText>{line.name}</SafeText>
      </h2>
      <p className="playbooks-line">
        <SafeText isMono>{line.action}</SafeText> {line.isLeaving && <Leaving />}
      </p>
      {when !== null && (
        <div>
          <h3>{words.when}</h3>
          <StepValue value={when} />
        </div>
      )}
      <div>
        <h3>{words.input}</h3>
        <StepValue value={params} />
      </div>
      <p className="soft">
        {fill(words.tries, { count: retries + 1, time: time.duration(timeout_s * 1000) })} · {words.onError[on_error]}
      </p>
      {compensate && (
        <div>
          <h3>
            <span aria-hidden="true">↩</span> {words.undo} <SafeText isMono>{compensate.action}</SafeText>{" "}
            {line.isUndoLeaving && <Leaving />}
          </h3>
          <StepValue value={compensate.params} />
        </div>
      )}
    </section>
  );
}

function Inputs({ playbook }: { playbook: Playbook }) {
  const words = usePhrases(playbooksPhrases);
  if (playbook.inputs.length === 0) return null;
  return (
    <Panel title={words.inputs}>
      <ul className="playbooks-inputs">
        {playbook.inputs.map(({ name, type, required, from, description }) => (
          <li key={name}>
            <SafeText isMono>{name}</SafeText>{" "}
            <span className="soft">
              {words.types[type]}
              {required && ` · ${words.required}`}
              {from !== null && (
                <>
                  {" "}
                  · <SafeText isMono>{from}</SafeText>
                </>
              )}
            </span>
            {description !== "" && (
              <p className="soft">
                <SafeText>{description}</SafeText>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

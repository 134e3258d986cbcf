import { type ReactNode, useCallback, useState } from "react";
import { useCommands } from "../keys/commands-context.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { SafeText } from "../text/safe-text-view.tsx";
import { useTime } from "../time/time-context.tsx";
import { playbooksPhrases } from "./playbooks-phrases.ts";
import { StepSign } from "./run-sign.tsx";
import { type StepLine, stepDuration } from "./step-lines.ts";
import "./playbooks.css";

export interface StepRailProps {
  lines: readonly StepLine[];
  selected: string | undefined;
  onSelect: (id: string) => void;
  /** With a run: the current time, for running steps, and whether the run is over. */
  run?: { now: Date; isOver: boolean } | undefined;
}

/** The steps of a playbook from top to bottom; with a run, their states and the undo path. */
export function StepRail({ lines, selected, onSelect, run }: StepRailProps) {
  const words = usePhrases(playbooksPhrases);
  return (
    <ol className="step-rail" aria-label={words.steps}>
      {lines.map((line) => (
        <li key={line.id} className={`step-rail-item step-rail-back-${line.back}`}>
          <button
            type="button"
            className="step-rail-step"
            aria-current={line.id === selected ? "step" : undefined}
            onClick={() => onSelect(line.id)}
          >
            <span className="step-rail-number" data-status={line.run?.status ?? "none"}>
              {line.number}
            </span>
            <StepText line={line} />
            {run && <StepState line={line} {...run} />}
          </button>
          {line.back === "ends" && <span className="step-rail-arrow" aria-hidden="true" />}
          {line.undoRun && run && (
            <p className="step-rail-undone">
              <span aria-hidden="true">↩</span>
              <SafeText isMono>{line.undoRun.action}</SafeText>
              {line.isUndoLeaving && <Leaving />}
              <StepSign status={line.undoRun.status} otherwise="" />
              <Duration ms={stepDuration(line.undoRun, run.now)} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

/** ↗: an effect outside the platform. */
export function Leaving() {
  const words = usePhrases(playbooksPhrases);
  return (
    <span className="leaving" role="img" aria-label={words.leaves} title={words.leaves}>
      ↗
    </span>
  );
}

function StepText({ line }: { line: StepLine }) {
  const words = usePhrases(playbooksPhrases);
  return (
    <span className="step-rail-text">
      <span className="step-rail-name">
        <SafeText>{line.name}</SafeText>
      </span>
      <span className="step-rail-facts">
        <span>
          <SafeText isMono>{line.action}</SafeText> {line.isLeaving && <Leaving />}
        </span>
        {line.undo !== undefined && (
          <span>
            {words.undo} <SafeText isMono>{line.undo}</SafeText> {line.isUndoLeaving && <Leaving />}
          </span>
        )}
        {line.when !== null && (
          <span className="step-rail-when">
            {words.when} <SafeText isMono>{line.when}</SafeText>
          </span>
        )}
      </span>
    </span>
  );
}

function StepState({ line, now, isOver }: { line: StepLine; now: Date; isOver: boolean }) {
  const words = usePhrases(playbooksPhrases);
  const isTimed = line.run !== undefined && line.run.status !== "skipped";
  return (
    <span className="step-rail-state">
      <StepSign status={line.run?.status} otherwise={isOver ? words.notReached : words.notBegun} />
      {isTimed && <Duration ms={stepDuration(line.run, now)} />}
    </span>
  );
}

function Duration({ ms }: { ms: number | undefined }): ReactNode {
  const time = useTime();
  return <span className="step-rail-time">{ms === undefined ? "" : time.duration(ms)}</span>;
}

/** The selected step of a rail, moved by `j` and `k`. Initially `first`. */
export function useStepCursor(lines: readonly StepLine[], first: string | undefined, noun: string) {
  const words = usePhrases(playbooksPhrases);
  const [chosen, setChosen] = useState<string>();
  const at = Math.max(
    0,
    lines.findIndex(({ id }) => id === (chosen ?? first)),
  );
  const move = (by: number) => setChosen(lines[Math.max(0, Math.min(lines.length - 1, at + by))]?.id);
  const key = (id: string, label: string, keys: string[], by: number) => ({
    id: `${noun}.${id}`,
    label,
    group: words.steps,
    keys,
    isHidden: true,
    isRepeatable: true,
    isInStatusLine: by > 0,
    run: () => move(by),
  });
  useCommands([
    key("next-step", words.moveStep, ["j", "ArrowDown"], 1),
    key("previous-step", words.stepBefore, ["k", "ArrowUp"], -1),
  ]);
  const choose = useCallback((id: string) => setChosen(id), []);
  return { selected: lines[at]?.id, line: lines[at], choose };
}

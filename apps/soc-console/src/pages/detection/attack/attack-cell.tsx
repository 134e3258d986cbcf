import { memo } from "react";
import { fill, isolated, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import type { TechniqueState } from "./attack-client.ts";
import { type Cell, gradeShade } from "./attack-matrix.ts";
import { attackPhrases } from "./attack-phrases.ts";

export interface AttackCellProps {
  cell: Cell;
  state: TechniqueState;
  /** Whether the cell is in the Tab order. */
  isCurrent: boolean;
  isOpened: boolean;
  isUnfolded: boolean;
  onOpen: (cell: Cell) => void;
  onFold: (key: string) => void;
}

/** Describes the shade, hatching and outline of a cell in words. */
export function useCellWords() {
  const words = usePhrases(attackPhrases);
  const numbers = useNumbers();
  return ({ rule_count, alerts_30d }: Cell["technique"], state: TechniqueState): string =>
    [
      rule_count > 0 ? numbers.count(rule_count, words.rules) : words.noRules,
      state === "none" ? "" : words.states[state],
      alerts_30d > 0 ? numbers.count(alerts_30d, words.alertsIn30Days) : "",
    ]
      .filter((part) => part !== "")
      .join(" · ");
}

/** One technique in the column of one tactic. */
export const AttackCell = memo(function AttackCell(props: AttackCellProps) {
  const { cell, state, isCurrent, isOpened, isUnfolded, onOpen, onFold } = props;
  const { technique, subs, isSub, key } = cell;
  const words = usePhrases(attackPhrases);
  const numbers = useNumbers();
  const describe = useCellWords();
  const names = [
    "attack-cell",
    `attack-${state}`,
    state === "ran" && `attack-shade-${gradeShade(technique.ran_count)}`,
    technique.alerts_30d > 0 && "attack-alerted",
    isSub && "attack-sub",
  ];
  const name = safeText(technique.name);
  return (
    <li className="attack-item" dir="ltr">
      <button
        type="button"
        className={names.filter(Boolean).join(" ")}
        data-cell={key}
        tabIndex={isCurrent ? 0 : -1}
        aria-pressed={isOpened}
        title={`${technique.id} ${name}\n${describe(technique, state)}`}
        onClick={() => onOpen(cell)}
      >
        <span className="attack-line">
          <span className="attack-id">{technique.id}</span>
          {technique.rule_count > 0 && (
            <span className="attack-rules" aria-hidden="true">
              {numbers.number(technique.rule_count)}
            </span>
          )}
        </span>
        <span className="attack-name">
          <SafeText>{technique.name}</SafeText>
        </span>
        <span className="screen-reader-only">{`: ${describe(technique, state)}`}</span>
      </button>
      {subs.length > 0 && (
        <button
          type="button"
          className="attack-fold"
          tabIndex={-1}
          aria-expanded={isUnfolded}
          onClick={() => onFold(key)}
        >
          <span aria-hidden="true">{isUnfolded ? "−" : `+${subs.length}`}</span>
          <span className="screen-reader-only">{fill(words.subsOf, { name: isolated(name) })}</span>
        </button>
      )}
    </li>
  );
});

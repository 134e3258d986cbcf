import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { CommandButton } from "../../../app/keys/command-button.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommand, useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { AttackCell } from "./attack-cell.tsx";
import type { CoveredSource } from "./attack-client.ts";
import { type Cell, type Column, findShownState, moveCell, type Step } from "./attack-matrix.ts";
import { attackPhrases } from "./attack-phrases.ts";
import type { ExpandedColumns } from "./use-expanded.ts";

export interface AttackMatrixProps {
  columns: readonly Column[];
  folds: ExpandedColumns;
  /** Only rules of this source count. */
  only: CoveredSource | undefined;
  opened: string | undefined;
}

const STEPS: Readonly<Record<string, Step>> = { ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" };

/** Columns follow the text direction: in Arabic, the left arrow moves to the next column. */
function readStep(key: string, isRtl: boolean): Step | undefined {
  if (key === "ArrowLeft") return isRtl ? "after" : "before";
  if (key === "ArrowRight") return isRtl ? "before" : "after";
  return STEPS[key];
}

interface MatrixCommands {
  folds: ExpandedColumns;
  current: Cell | undefined;
  focus: (cell: Cell | undefined) => void;
  isPaneOpen: boolean;
}

function useMatrixCommands({ folds, current, focus, isPaneOpen }: MatrixCommands): void {
  const words = usePhrases(attackPhrases);
  const { search, change } = useAddress();
  const group = words.title;
  const folded = current && (current.isSub ? findOwner(folds.shown, current) : current);
  const commands: Command[] = [
    {
      id: "attack.move",
      label: words.move,
      group,
      keys: ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"],
      isHidden: true,
      isInStatusLine: true,
      run: () => focus(current),
    },
    {
      id: "attack.fold",
      label: words.foldOne,
      group,
      keys: ["s"],
      isHidden: true,
      isInStatusLine: true,
      run: () => {
        if (!folded || folded.subs.length === 0) return;
        folds.toggle(folded.key);
        focus(folded);
      },
    },
    {
      id: "attack.fold-all",
      label: folds.isAnyUnfolded ? words.foldAll : words.unfoldAll,
      group,
      keys: ["⇧S"],
      run: folds.toggleAll,
    },
    {
      id: "attack.matrix",
      label: words.otherMatrix,
      group,
      keys: ["m"],
      run: () => change({ matrix: search.matrix === "ics" ? undefined : "ics", pane: undefined }, { isStep: true }),
    },
    {
      id: "attack.close",
      label: words.close,
      group,
      keys: ["Escape"],
      isHidden: true,
      isEnabled: isPaneOpen,
      run: () => change({ pane: undefined }),
    },
  ];
  useCommands(commands);
}

function findOwner(shown: ExpandedColumns["shown"], sub: Cell): Cell | undefined {
  return shown.flat().find(({ subs }) => subs.some(({ key }) => key === sub.key));
}

/** Tactics as columns. Only one cell is in the Tab order; arrow keys move to the others. */
export function AttackMatrix({ columns, folds, only, opened }: AttackMatrixProps) {
  const words = usePhrases(attackPhrases);
  const { change } = useAddress();
  const matrix = useRef<HTMLDivElement>(null);
  const [key, setKey] = useState<string>();
  const all = folds.shown.flat();
  const current =
    all.find((cell) => cell.key === key) ?? all.find(({ technique }) => technique.id === opened) ?? all[0];
  const focus = (cell: Cell | undefined) => {
    if (!cell) return;
    setKey(cell.key);
    matrix.current?.querySelector<HTMLElement>(`[data-cell="${CSS.escape(cell.key)}"]`)?.focus();
  };
  const wasOpened = useRef(opened);
  useEffect(() => {
    // The closed pane had the focus: return it to the cell.
    if (wasOpened.current !== undefined && opened === undefined && document.activeElement === document.body) {
      matrix.current?.querySelector<HTMLElement>("[data-cell][tabindex='0']")?.focus();
    }
    wasOpened.current = opened;
  }, [opened]);
  useMatrixCommands({ folds, current, focus, isPaneOpen: opened !== undefined });
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = readStep(event.key, getComputedStyle(event.currentTarget).direction === "rtl");
    if (!step) return;
    event.preventDefault();
    focus(moveCell(folds.shown, current?.key, step));
  };
  const open = (cell: Cell) => {
    setKey(cell.key);
    change({ pane: opened === cell.technique.id ? undefined : cell.technique.id });
  };
  return (
    <section ref={matrix} className="attack-matrix" aria-label={words.matrix} onKeyDown={press}>
      {columns.map(({ tactic }, at) => (
        <section key={tactic.id} className="attack-column" aria-label={tactic.name}>
          <Head tactic={tactic} />
          <ul>
            {folds.shown[at]?.map((cell) => (
              <AttackCell
                key={cell.key}
                cell={cell}
                state={findShownState(cell.technique, only)}
                isCurrent={cell.key === current?.key}
                isOpened={cell.technique.id === opened}
                isUnfolded={folds.isUnfolded(cell.key)}
                onOpen={open}
                onFold={folds.toggle}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

function Head({ tactic: { name, id, covered, techniques } }: { tactic: Column["tactic"] }) {
  const words = usePhrases(attackPhrases);
  return (
    <header className="attack-head" title={id}>
      <h2 className="attack-tactic">
        <SafeText>{name}</SafeText>
      </h2>
      <span className="attack-share">{fill(words.share, { covered, techniques })}</span>
    </header>
  );
}

/** Folds or unfolds the sub-techniques of the whole matrix; also available as a shortcut. */
export function FoldAll() {
  const command = useCommand("attack.fold-all");
  if (!command) return null;
  return <CommandButton command={command} />;
}

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Dialog } from "../../../../design/dialog.tsx";
import { TextField } from "../../../../design/field.tsx";
import { KeyCap } from "../../../../design/key-cap.tsx";
import "./dialogs.css";

export interface Choice {
  key: string;
  label: ReactNode;
  detail?: ReactNode;
  onChoose: () => void;
}

export interface ChoiceDialogProps {
  title: string;
  choices: readonly Choice[];
  empty?: string | undefined;
  search?: { label: string; value: string; onChange: (value: string) => void } | undefined;
  onClose: () => void;
}

const MAX_DIGITS = 9;

/** A question with a list of answers: arrows or a digit select, a search narrows the list. */
export function ChoiceDialog({ title, choices, empty, search, onClose }: ChoiceDialogProps) {
  const list = useRef<HTMLUListElement>(null);
  const hasSearch = search !== undefined;
  const readButtons = () => [...(list.current?.querySelectorAll("button") ?? [])];
  useEffect(() => {
    if (!hasSearch) list.current?.querySelector("button")?.focus();
  }, [hasSearch]);

  const press = (event: KeyboardEvent) => {
    const buttons = readButtons();
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const isTyping = event.target instanceof HTMLInputElement;
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    const digit = isTyping ? Number.NaN : Number(event.key);
    const next = moves[event.key];
    if (next !== undefined) buttons.at(next % Math.max(1, buttons.length))?.focus();
    else if (digit >= 1 && digit <= Math.min(MAX_DIGITS, choices.length)) choices[digit - 1]?.onChoose();
    else if (isTyping && event.key === "Enter") choices[0]?.onChoose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Dialog title={title} onClose={onClose} width="s">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move among its buttons. */}
      <div className="alerts-choices" onKeyDown={press}>
        {search && (
          <TextField
            label={search.label}
            value={search.value}
            autoComplete="off"
            onChange={(event) => search.onChange(event.target.value)}
          />
        )}
        <ul ref={list} className="alerts-choice-list">
          {choices.map((choice, index) => (
            <li key={choice.key}>
              <button type="button" className="alerts-choice" onClick={choice.onChoose}>
                <span className="alerts-cut">{choice.label}</span>
                {choice.detail && <span className="alerts-details">{choice.detail}</span>}
                {!search && index < MAX_DIGITS && <KeyCap>{index + 1}</KeyCap>}
              </button>
            </li>
          ))}
        </ul>
        {choices.length === 0 && empty && <p className="alerts-note">{empty}</p>}
      </div>
    </Dialog>
  );
}

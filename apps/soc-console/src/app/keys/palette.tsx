import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { fill, usePhrases } from "../language/language-context.tsx";
import { SafeText } from "../text/safe-text-view.tsx";
import { ChordCaps } from "./chord-caps.tsx";
import type { Command } from "./commands.ts";
import { useCommandList, useCommands, useRunCommand } from "./commands-context.tsx";
import { keysPhrases } from "./keys-phrases.ts";
import { buildOptions, moveActive, type PaletteOption, type SearchResult } from "./palette-options.ts";
import { type Search, useSearchResults } from "./use-search-results.ts";

export interface PaletteProps {
  /** Searches records. Keep the function identity stable between renders. */
  search?: Search | undefined;
  /** Opens a page of the console. */
  onNavigate: (href: string) => void;
}

/** Finds a command or a record by a few letters: mod+K. */
export function Palette(props: PaletteProps) {
  const words = usePhrases(keysPhrases);
  const [isOpen, setIsOpen] = useState(false);
  useCommands([
    {
      id: "keys.palette",
      label: words.openPalette,
      group: words.console,
      keys: ["mod+k"],
      isHidden: true,
      run: () => setIsOpen(true),
    },
  ]);
  return isOpen ? <PaletteDialog {...props} onClose={() => setIsOpen(false)} /> : null;
}

function PaletteDialog({ search, onNavigate, onClose }: PaletteProps & { onClose: () => void }) {
  const words = usePhrases(keysPhrases);
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const state = useSearchResults(text, search);
  const options = buildOptions(text, useCommandList(), state.found);
  const run = useRunCommand();
  const listId = useId();
  useModal(dialog);

  const choose = (option: PaletteOption | undefined) => {
    if (!option) return;
    // Close the dialog first: the command may open another one.
    dialog.current?.close();
    onClose();
    if ("command" in option) run(option.command);
    else onNavigate(option.found.href);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.nativeEvent.isComposing || (step === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (step === undefined) choose(options[active]);
    else setActive(moveActive(active, step, options.length));
  };

  return (
    <dialog
      ref={dialog}
      className="keys-palette"
      aria-label={words.openPalette}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="keys-palette-frame">
        <input
          className="keys-palette-input"
          role="combobox"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={options[active] && `${listId}-${active}`}
          aria-label={words.openPalette}
          placeholder={words.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
        <OptionList {...{ options, active, listId }} onChoose={choose} />
        <p className="keys-palette-note" role="status">
          {state.isSearching && words.searching}
          {state.failure !== undefined && fill(words.searchFailed, { reason: state.failure })}
          {options.length === 0 && !state.isSearching && !state.failure && fill(words.nothing, { text })}
        </p>
      </div>
    </dialog>
  );
}

/** Opens the dialog and restores the focus when it closes. */
function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => {
      element?.close();
      // The command may have moved the focus.
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [dialog]);
}

interface OptionListProps {
  options: readonly PaletteOption[];
  active: number;
  listId: string;
  onChoose: (option: PaletteOption) => void;
}

function OptionList({ options, active, listId, onChoose }: OptionListProps) {
  const words = usePhrases(keysPhrases);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div ref={list} id={listId} className="keys-palette-list" role="listbox" aria-label={words.results} tabIndex={-1}>
      {options.map((option, at) => (
        <PaletteLine
          key={option.id}
          id={`${listId}-${at}`}
          at={at}
          option={option}
          heading={options[at - 1]?.group === option.group ? undefined : option.group}
          isActive={at === active}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}

interface PaletteLineProps {
  id: string;
  at: number;
  option: PaletteOption;
  /** Set on the first option of a group. */
  heading: string | undefined;
  isActive: boolean;
  onChoose: (option: PaletteOption) => void;
}

function PaletteLine({ id, at, option, heading, isActive, onChoose }: PaletteLineProps) {
  const isOff = "command" in option && option.command.isEnabled === false;
  return (
    <>
      {heading !== undefined && (
        <div className="keys-palette-heading" role="presentation">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are in the field. */}
      <div
        id={id}
        data-at={at}
        role="option"
        aria-selected={isActive}
        aria-disabled={isOff || undefined}
        className={`keys-palette-line${isActive ? " keys-palette-active" : ""}${isOff ? " keys-line-off" : ""}`}
        onClick={() => onChoose(option)}
      >
        {"command" in option ? (
          <CommandWords command={option.command} places={option.places} />
        ) : (
          <FoundWords found={option.found} />
        )}
      </div>
    </>
  );
}

function CommandWords({ command, places }: { command: Command; places: readonly number[] }) {
  return (
    <>
      <span className="keys-palette-title">
        {splitMarked(command.label, new Set(places)).map(({ text, isMarked }, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity and no state
          isMarked ? <b key={at}>{text}</b> : text,
        )}
        {command.reason && <span className="keys-palette-subtitle">{command.reason}</span>}
      </span>
      {command.keys?.[0] && <ChordCaps chord={command.keys[0]} />}
    </>
  );
}

interface MarkedPart {
  text: string;
  isMarked: boolean;
}

/** Adjacent parts of the same kind are merged: Arabic letters in separate elements might not join. */
function splitMarked(label: string, marked: ReadonlySet<number>): MarkedPart[] {
  const parts: MarkedPart[] = [];
  for (let at = 0; at < label.length; at += 1) {
    const isMarked = marked.has(at);
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) last.text += label.charAt(at);
    else parts.push({ text: label.charAt(at), isMarked });
  }
  return parts;
}

function FoundWords({ found }: { found: SearchResult }) {
  return (
    <span className="keys-palette-title">
      <SafeText>{found.title}</SafeText>
      <span className="keys-palette-subtitle">
        <SafeText>{found.subtitle}</SafeText>
      </span>
    </span>
  );
}

import { type KeyboardEvent, type SubmitEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/field.tsx";
import { placeBeside } from "../../design/place.ts";
import { now } from "../browser/clock.ts";
import { useLanguage, usePhrases } from "../language/language-context.tsx";
import { formatRange, parseRange, resolveRange, type TimeRange } from "./range.ts";
import { rangeWords } from "./range-words.ts";
import { useTime } from "./time-context.tsx";
import { timePhrases } from "./time-phrases.ts";
import { toLocalInput } from "./zone.ts";
import "./time.css";

export interface RangePickerProps {
  range: TimeRange;
  onChange: (range: TimeRange) => void;
  /** The shortcut of the command that opens it. */
  keys?: readonly string[] | undefined;
  /** Id of the button, so that a command can click it. */
  id?: string | undefined;
}

const PRESETS: readonly TimeRange[] = ["-15m", "-1h", "-4h", "-24h", "-7d", "-30d"].map((from) => ({ from }));
const GAP = 4;

/** A button with the range, which opens presets, a text field and two times. */
export function RangePicker({ range, onChange, keys, id }: RangePickerProps) {
  const words = usePhrases(timePhrases);
  const { language } = useLanguage();
  const time = useTime();
  const popover = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const popoverId = useId();
  const [isOpen, setIsOpen] = useState(false);

  useLayoutEffect(() => {
    if (!isOpen || !popover.current || !button.current) return;
    placeBeside(popover.current, button.current, GAP);
    const current = popover.current.querySelector<HTMLElement>("[aria-current=true]");
    (current ?? popover.current.querySelector("button"))?.focus();
  }, [isOpen]);

  const choose = (chosen: TimeRange) => {
    popover.current?.hidePopover();
    button.current?.focus();
    onChange(chosen);
  };
  return (
    <>
      <Button ref={button} id={id} keys={keys} popoverTarget={popoverId} aria-haspopup="dialog" aria-expanded={isOpen}>
        <bdi>{rangeWords(range, now(), language, time.dateTime)}</bdi>
      </Button>
      <div
        ref={popover}
        id={popoverId}
        popover="auto"
        role="dialog"
        aria-label={words.range}
        className="time-picker"
        onToggle={(event) => setIsOpen(event.newState === "open")}
      >
        {isOpen && <PickerBody range={range} onChoose={choose} />}
      </div>
    </>
  );
}

interface PickerBodyProps {
  range: TimeRange;
  onChoose: (range: TimeRange) => void;
}

function PickerBody({ range, onChoose }: PickerBodyProps) {
  const words = usePhrases(timePhrases);
  const { language } = useLanguage();
  const { dateTime } = useTime();
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move the focus among its buttons. */}
      <div className="time-presets" onKeyDown={moveAmongPresets}>
        <span className="time-heading">{words.presets}</span>
        {PRESETS.map((preset) => (
          <button
            key={preset.from}
            type="button"
            className="time-preset"
            aria-current={preset.from === range.from && range.to === undefined}
            onClick={() => onChoose(preset)}
          >
            <span>{rangeWords(preset, now(), language, dateTime)}</span>
            <code dir="ltr">{preset.from}</code>
          </button>
        ))}
      </div>
      <div className="time-forms">
        <TextForm range={range} onChoose={onChoose} />
        <InstantsForm range={range} onChoose={onChoose} />
      </div>
    </>
  );
}

function moveAmongPresets(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons: Element[] = [...event.currentTarget.querySelectorAll("button")];
  const at = document.activeElement ? buttons.indexOf(document.activeElement) : -1;
  event.preventDefault();
  const next = buttons.at((at + step) % buttons.length);
  if (next instanceof HTMLElement) next.focus();
}

function TextForm({ range, onChoose }: PickerBodyProps) {
  const words = usePhrases(timePhrases);
  const { zone } = useTime();
  const [text, setText] = useState(() => formatRange(range));
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const parsed = parseRange(text, { now: now(), zone });
    setIsWrong(!parsed);
    if (parsed) onChoose(parsed);
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label={words.text}
        hint={<span dir="ltr">{words.textHint}</span>}
        error={isWrong && words.notARange}
        className="time-text"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIsWrong(false);
        }}
        onFocus={(event) => event.target.select()}
      />
    </form>
  );
}

function InstantsForm({ range, onChoose }: PickerBodyProps) {
  const words = usePhrases(timePhrases);
  const { zone, zoneLabel } = useTime();
  const [shown] = useState(() => resolveRange(range, now()));
  const [from, setFrom] = useState(() => toLocalInput(shown.from, zone));
  const [to, setTo] = useState(() => toLocalInput(shown.to, zone));
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const parsed = parseRange(`${from}..${to}`, { now: now(), zone });
    setIsWrong(!parsed);
    if (parsed) onChoose(parsed);
  };
  return (
    <form className="time-instants" onSubmit={submit}>
      <TextField
        type="datetime-local"
        label={`${words.from} (${zoneLabel})`}
        required
        value={from}
        onChange={(event) => {
          setFrom(event.target.value);
          setIsWrong(false);
        }}
      />
      <TextField
        type="datetime-local"
        label={`${words.to} (${zoneLabel})`}
        required
        error={isWrong && words.endsFirst}
        value={to}
        onChange={(event) => {
          setTo(event.target.value);
          setIsWrong(false);
        }}
      />
      <Button type="submit">{words.apply}</Button>
    </form>
  );
}

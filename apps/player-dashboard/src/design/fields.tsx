import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { LockSign } from "./button.tsx";
import { useControlContext } from "./control-context.ts";
import { Icon } from "./icons.tsx";

interface FieldLabel {
  label: string;
  hint?: string | undefined;
}

// One literal per type: an input's other attributes depend on its type.
const INPUTS = {
  text: { type: "text" },
  search: { type: "search" },
  url: { type: "url" },
  number: { type: "number" },
  time: { type: "time" },
  password: { type: "password" },
} as const;

export interface TextFieldProps extends FieldLabel {
  value: string;
  onInput: (value: string) => void;
  type?: keyof typeof INPUTS;
  /** The error message, in plain words. */
  error?: string | undefined;
  maxLength?: number;
  autoComplete?: string;
  /** A web address or a code is written left to right in every language. */
  isLatin?: boolean;
  isRequired?: boolean;
}

export function TextField({
  label,
  hint,
  value,
  onInput,
  type = "text",
  error,
  maxLength,
  autoComplete = "off",
  isLatin = false,
  isRequired = false,
}: TextFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="field-input"
        {...INPUTS[type]}
        value={value}
        maxLength={maxLength}
        autocomplete={autoComplete}
        spellcheck={false}
        required={isRequired}
        dir={isLatin ? "ltr" : "auto"}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-about`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p id={`${id}-about`} class={error ? "field-error" : "field-hint"} role={error ? "alert" : undefined}>
        {error ?? hint}
      </p>
    </div>
  );
}

export interface SelectFieldProps<Value extends string> extends FieldLabel {
  value: Value;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
  onChange: (value: Value) => void;
}

export function SelectField<Value extends string>({ label, hint, value, options, onChange }: SelectFieldProps<Value>) {
  const id = useId();
  const redraw = useRedraw();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <span class="select">
        <select
          id={id}
          class="field-input"
          value={value}
          aria-describedby={hint ? `${id}-about` : undefined}
          onChange={({ currentTarget }) => {
            const chosen = options[currentTarget.selectedIndex];
            if (chosen) onChange(chosen.value);
            redraw();
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
      {hint && (
        <p id={`${id}-about`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

export interface ChoiceProps<Value extends string> extends FieldLabel {
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** A radio group for two to five options. */
export function Choice<Value extends string>({ label, hint, value, options, onChange }: ChoiceProps<Value>) {
  const name = useId();
  const redraw = useRedraw();
  return (
    <fieldset class="choice">
      <legend class="field-label">{label}</legend>
      <div class="choice-options">
        {options.map((option) => (
          <label key={option.value} class="choice-option">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => {
                onChange(option.value);
                redraw();
              }}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      {hint && <p class="field-hint">{hint}</p>}
    </fieldset>
  );
}

/** The browser changes the control itself; rendering again resets it to the current value. */
function useRedraw(): () => void {
  const [, setDrawn] = useState(0);
  return () => setDrawn((drawn) => drawn + 1);
}

export interface SwitchProps extends FieldLabel {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  needsToken?: boolean;
  disabled?: boolean;
}

export function Switch({ label, hint, isOn, onChange, needsToken = false, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div class="switch-row">
      <div class="switch-words">
        <label id={id} for={`${id}-switch`} class="switch-label">
          {label} {needsToken && <LockSign />}
        </label>
        {hint && (
          <p id={`${id}-about`} class="field-hint">
            {hint}
          </p>
        )}
      </div>
      <button
        id={`${id}-switch`}
        type="button"
        role="switch"
        class="switch"
        aria-checked={isOn}
        aria-labelledby={id}
        aria-describedby={hint ? `${id}-about` : undefined}
        disabled={disabled}
        onClick={() => onChange(!isOn)}
      >
        <span class="switch-knob" />
      </button>
    </div>
  );
}

export interface SliderProps extends FieldLabel {
  value: number;
  min: number;
  max: number;
  step?: number;
  /** Read by a screen reader instead of the number, and shown next to it. */
  valueText: string;
  /** While it is dragged. */
  onInput: (value: number) => void;
  /** When the user releases it. */
  onChange?: (value: number) => void;
  disabled?: boolean;
  before?: ComponentChildren;
  isLabelHidden?: boolean;
}

export function Slider({
  label,
  hint,
  value,
  min,
  max,
  step = 1,
  valueText,
  onInput,
  onChange,
  disabled = false,
  before,
  isLabelHidden = false,
}: SliderProps) {
  const id = useId();
  const filled = max > min ? (100 * (value - min)) / (max - min) : 0;
  return (
    <div class="slider">
      <div class={isLabelHidden ? "screen-reader-only" : "slider-words"}>
        <label class="field-label" for={id}>
          {label}
        </label>
        <span class="slider-value" aria-hidden="true">
          {valueText}
        </span>
      </div>
      <div class="slider-line">
        {before}
        <input
          id={id}
          class="slider-input"
          type="range"
          min={min}
          max={max}
          step={step}
          value={value}
          disabled={disabled}
          aria-valuetext={valueText}
          style={{ "--filled": `${filled}%` }}
          onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
          onChange={onChange && ((event) => onChange(event.currentTarget.valueAsNumber))}
        />
      </div>
      {hint && <p class="field-hint">{hint}</p>}
    </div>
  );
}

export interface StepperProps extends FieldLabel {
  value: number;
  min: number;
  max: number;
  step?: number;
  /** The formatted value. Default: its digits. */
  valueText?: string;
  onChange: (value: number) => void;
}

/** A number with a button on either side. */
export function Stepper({ label, hint, value, min, max, step = 1, valueText, onChange }: StepperProps) {
  const id = useId();
  const { words, formatDigits } = useControlContext();
  const change = (by: number) => onChange(Math.min(max, Math.max(min, value + by)));
  return (
    <fieldset class="stepper-row" aria-labelledby={id}>
      <div class="switch-words">
        <span id={id} class="switch-label">
          {label}
        </span>
        {hint && <p class="field-hint">{hint}</p>}
      </div>
      <div class="stepper">
        <button
          type="button"
          class="stepper-button"
          aria-label={`${words.less}: ${label}`}
          disabled={value <= min}
          onClick={() => change(-step)}
        >
          <Icon name="minus" />
        </button>
        <output class="stepper-value">{valueText ?? formatDigits(value)}</output>
        <button
          type="button"
          class="stepper-button"
          aria-label={`${words.more}: ${label}`}
          disabled={value >= max}
          onClick={() => change(step)}
        >
          <Icon name="plus" />
        </button>
      </div>
    </fieldset>
  );
}

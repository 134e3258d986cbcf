import { ChevronDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from "react";
import { findSigns, spellSign } from "./invisible-characters.ts";

interface FieldTexts {
  label: string;
  hint?: ReactNode;
  error?: ReactNode;
  isLabelHidden?: boolean | undefined;
}

interface FrameProps extends FieldTexts {
  id: string;
  /** The value of the field. Inputs cannot render invisible characters, so they are listed below the field. */
  text?: unknown;
  children: ReactNode;
}

const MAX_SIGNS = 5;

function listSigns(text: unknown): string[] {
  if (typeof text !== "string") return [];
  return [...new Set(findSigns(text).map(({ sign }) => spellSign(sign)))].slice(0, MAX_SIGNS);
}

function FieldFrame({ id, label, hint, error, isLabelHidden, text, children }: FrameProps) {
  const signs = listSigns(text);
  return (
    <div className="field">
      <label className={isLabelHidden ? "screen-reader-only" : "field-label"} htmlFor={id}>
        {label}
      </label>
      {children}
      {signs.length > 0 && (
        <p className="field-signs" dir="ltr">
          {signs.join(" ")}
        </p>
      )}
      {hint && !error && (
        <p id={`${id}-note`} className="field-hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-note`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

function describe(id: string, { hint, error }: Pick<FieldTexts, "hint" | "error">) {
  return { "aria-describedby": hint || error ? `${id}-note` : undefined, "aria-invalid": error ? true : undefined };
}

export interface TextFieldProps extends FieldTexts, ComponentProps<"input"> {
  /** Content inside the field, before the text. */
  icon?: ReactNode;
}

export function TextField({ label, hint, error, isLabelHidden, icon, className, ...rest }: TextFieldProps) {
  const made = useId();
  const id = rest.id ?? made;
  return (
    <FieldFrame {...{ id, label, hint, error, isLabelHidden }} text={rest.type === "password" ? "" : rest.value}>
      <span className="field-box">
        {icon && <span className="field-icon">{icon}</span>}
        <input {...describe(id, { hint, error })} {...rest} id={id} className={`field-input ${className ?? ""}`} />
      </span>
    </FieldFrame>
  );
}

export interface TextAreaProps extends FieldTexts, ComponentProps<"textarea"> {}

export function TextArea({ label, hint, error, isLabelHidden, className, ...rest }: TextAreaProps) {
  const made = useId();
  const id = rest.id ?? made;
  return (
    <FieldFrame {...{ id, label, hint, error, isLabelHidden }} text={rest.value}>
      <textarea
        rows={4}
        {...describe(id, { hint, error })}
        {...rest}
        id={id}
        className={`field-input field-area ${className ?? ""}`}
      />
    </FieldFrame>
  );
}

export interface SelectFieldProps<Value extends string>
  extends FieldTexts,
    Omit<ComponentProps<"select">, "onChange" | "value" | "children"> {
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, error, isLabelHidden, options, value, onChange, className, ...rest } = props;
  const made = useId();
  const id = rest.id ?? made;
  const choose = (text: string) => {
    const option = options.find((each) => each.value === text);
    if (option) onChange(option.value);
  };
  return (
    <FieldFrame {...{ id, label, hint, error, isLabelHidden }}>
      <span className="field-box">
        <select
          {...describe(id, { hint, error })}
          {...rest}
          id={id}
          className={`field-input field-select ${className ?? ""}`}
          value={value}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <span className="field-arrow">
          <ChevronDown aria-hidden="true" />
        </span>
      </span>
    </FieldFrame>
  );
}

export interface CheckboxProps extends Omit<ComponentProps<"input">, "onChange" | "type"> {
  label: string;
  isLabelHidden?: boolean | undefined;
  checked: boolean;
  isIndeterminate?: boolean | undefined;
  onChange: (checked: boolean) => void;
}

export function Checkbox({ label, isLabelHidden, isIndeterminate = false, onChange, ...rest }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isIndeterminate;
  }, [isIndeterminate]);
  return (
    <label className="checkbox">
      <input
        ref={box}
        {...rest}
        type="checkbox"
        className="checkbox-box"
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={isLabelHidden ? "screen-reader-only" : undefined}>{label}</span>
    </label>
  );
}

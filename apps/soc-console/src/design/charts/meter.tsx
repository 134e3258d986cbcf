export interface MeterPart {
  key: string;
  value: number;
  /** A CSS variable: "var(--ok)". */
  fill: string;
}

export interface MeterProps {
  label: string;
  parts: readonly MeterPart[];
  /** The value of the whole line. Default: the sum of the parts. */
  total?: number | undefined;
}

/** A stacked bar of the parts of a whole. The label describes it in words. */
export function Meter({ label, parts, total }: MeterProps) {
  const sum = parts.reduce((all, part) => all + part.value, 0);
  const whole = Math.max(total ?? sum, sum, Number.MIN_VALUE);
  return (
    <div className="meter" role="img" aria-label={label} title={label}>
      {parts
        .filter(({ value }) => value > 0)
        .map(({ key, value, fill }) => (
          <span
            key={key}
            className="meter-part"
            style={{ inlineSize: `${(value / whole) * 100}%`, background: fill }}
          />
        ))}
    </div>
  );
}

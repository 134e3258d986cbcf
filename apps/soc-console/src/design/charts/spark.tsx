export interface SparkProps {
  label: string;
  values: readonly number[];
  /** A CSS variable: "var(--fill-low)". */
  fill?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

/** Small bars beside a number. The label describes them. */
export function Spark({ label, values, fill = "var(--accent)", width = 72, height = 20 }: SparkProps) {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length);
  return (
    <svg className="spark" width={width} height={height} role="img" aria-label={label} direction="ltr">
      {values.map((value, index) => {
        const size = value > 0 ? Math.max(1, (value / most) * height) : 0;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
            key={index}
            x={index * step}
            y={height - size}
            width={Math.max(1, step - 1)}
            height={size}
            style={{ fill }}
          />
        );
      })}
    </svg>
  );
}

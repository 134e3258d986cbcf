import type { Tone } from "./chip.tsx";

export type Severity = "critical" | "high" | "medium" | "low" | "info";

const BARS: Record<Exclude<Severity, "critical">, number> = { high: 3, medium: 2, low: 1, info: 0 };

/** The shape shows the severity and the colour repeats it. Pass an empty label if the word is beside it. */
export function SeveritySign({ severity, label }: { severity: Severity; label: string }) {
  return (
    <svg
      className={`severity severity-${severity}`}
      viewBox="0 0 14 14"
      role="img"
      aria-label={label}
      aria-hidden={label === "" || undefined}
    >
      {severity === "critical" ? (
        <>
          <rect className="severity-on" x="0.5" y="0.5" width="13" height="13" rx="3" />
          <path className="severity-call" d="M6.1 3h1.8l-.3 5H6.4zM6.1 9.3h1.8V11H6.1z" />
        </>
      ) : (
        [0, 1, 2].map((bar) => (
          <rect
            key={bar}
            className={bar < BARS[severity] ? "severity-on" : "severity-off"}
            x={1 + bar * 4.4}
            y={9 - bar * 3.2}
            width="3.2"
            height={4 + bar * 3.2}
            rx="0.8"
          />
        ))
      )}
    </svg>
  );
}

export type DotShape = "ring" | "half" | "full" | "check" | "cross";

/** A state icon beside its word: open ring, half, full, check, cross. */
export function StatusDot({ shape, tone = "plain" }: { shape: DotShape; tone?: Tone | undefined }) {
  return (
    <svg className={`status-dot tone-${tone}`} viewBox="0 0 10 10" aria-hidden="true">
      {shape === "full" && <circle className="status-dot-fill" cx="5" cy="5" r="4" />}
      {(shape === "ring" || shape === "half") && <circle className="status-dot-line" cx="5" cy="5" r="3.4" />}
      {shape === "half" && <path className="status-dot-fill" d="M5 1.6a3.4 3.4 0 0 0 0 6.8z" />}
      {shape === "check" && <path className="status-dot-line" d="M1.4 5.4 4 7.9l4.6-5.6" />}
      {shape === "cross" && <path className="status-dot-line" d="M1.9 1.9l6.2 6.2M8.1 1.9 1.9 8.1" />}
    </svg>
  );
}

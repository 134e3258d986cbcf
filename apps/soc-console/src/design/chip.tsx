import { X } from "lucide-react";
import type { ReactNode } from "react";

export type Tone = "critical" | "high" | "medium" | "low" | "info" | "ok" | "waiting" | "running" | "failed" | "plain";

export interface ChipProps {
  field?: string | undefined;
  value: ReactNode;
  onRemove?: (() => void) | undefined;
  /** Accessible name of the remove button. */
  removeLabel?: string | undefined;
  tone?: Tone | undefined;
}

/** One term of a filter, spelled as in the filter text. */
export function Chip({ field, value, onRemove, removeLabel, tone = "plain" }: ChipProps) {
  return (
    <span className={`chip tone-${tone}`} dir="ltr">
      {field !== undefined && <span className="chip-field">{field}:</span>}
      <span className="chip-value">{value}</span>
      {onRemove && (
        <button type="button" className="chip-remove" aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
          <X aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge tone-${tone}`}>{children}</span>;
}

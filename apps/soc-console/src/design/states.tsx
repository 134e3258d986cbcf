import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import type { Tone } from "./chip.tsx";

export interface EmptyStateProps {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <p className="empty-state-title">{title}</p>
      {text && <p className="empty-state-text">{text}</p>}
      {action && <div className="empty-state-action">{action}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  title: string;
  text: ReactNode;
  requestId?: string | undefined;
  retryLabel?: string | undefined;
  onRetry?: (() => void) | undefined;
}

/** An error inside the failed part. The rest of the page keeps working. */
export function ErrorState({ title, text, requestId, retryLabel, onRetry }: ErrorStateProps) {
  return (
    <div className="error-state" role="alert">
      <p className="error-state-title">{title}</p>
      <p className="error-state-text">{text}</p>
      <div className="error-state-foot">
        {onRetry && (
          <Button size="s" onClick={onRetry}>
            {retryLabel}
          </Button>
        )}
        {requestId !== undefined && (
          <bdi className="error-state-id" dir="ltr">
            {requestId}
          </bdi>
        )}
      </div>
    </div>
  );
}

const WIDTHS = [62, 48, 71, 55, 66, 43];

/** Placeholder rows, on the first visit only. They are not animated. */
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div className="skeleton" aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same and stay where they are.
        <div key={row} className="skeleton-row">
          <span className="skeleton-bar" style={{ inlineSize: `${WIDTHS[row % WIDTHS.length]}%` }} />
        </div>
      ))}
    </div>
  );
}

/** Keeps the old content while the new one loads, and dims it after 150 ms: see `.stale`. */
export function Stale({ isStale, children }: { isStale: boolean; children: ReactNode }) {
  return (
    <div className="stale" aria-busy={isStale}>
      {children}
    </div>
  );
}

export interface NoticeProps {
  tone: Tone;
  children: ReactNode;
  action?: ReactNode;
}

export function Notice({ tone, children, action }: NoticeProps) {
  return (
    <div className={`notice tone-${tone}`} role="status">
      <div className="notice-text">{children}</div>
      {action}
    </div>
  );
}

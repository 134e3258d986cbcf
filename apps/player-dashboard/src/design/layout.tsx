import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { IconButton } from "./button.tsx";
import { useControlContext } from "./control-context.ts";
import { useHeading } from "./heading.ts";
import { Icon, type IconName } from "./icons.tsx";

export function PageTitle({
  children,
  actions,
  back,
}: {
  children: ComponentChildren;
  actions?: ComponentChildren;
  back?: { to: string; label: string };
}) {
  const heading = useHeading();
  return (
    <header class="page-title">
      {back && (
        <Link to={back.to} class="page-back" label={back.label}>
          <Icon name="back" />
        </Link>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
      {actions && <div class="page-actions">{actions}</div>}
    </header>
  );
}

export function Panel({
  title,
  actions,
  children,
}: {
  title?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={title ? id : undefined}>
      {title && (
        <div class="panel-head">
          <h2 id={id} class="panel-title">
            {title}
          </h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** An empty list: says what belongs here and what to do. */
export function EmptyState({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <span class="empty-sign">
        <Icon name={icon} />
      </span>
      <p class="empty-title">{title}</p>
      {children && <div class="empty-more">{children}</div>}
    </div>
  );
}

export interface LinkProps {
  to: string;
  children: ComponentChildren;
  class?: string;
  /** For content that a screen reader cannot read. */
  label?: string;
  isCurrent?: boolean;
}

/** A link within the dashboard. New tab, long press and other browser functions keep working. */
export function Link({ to, children, class: className, label, isCurrent = false }: LinkProps) {
  const { go } = useControlContext();
  const follow = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} class={className} aria-label={label} aria-current={isCurrent ? "page" : undefined} onClick={follow}>
      {children}
    </a>
  );
}

/** A modal question or form. Escape and the close button leave it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const id = useId();
  const { words } = useControlContext();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Focus the first field if the dialog has one.
    shown?.querySelector<HTMLElement>("form input, form select")?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={id} class="dialog-title">
          {title}
        </h2>
        <IconButton icon="close" label={words.close} onClick={onClose} />
      </div>
      {children}
    </dialog>
  );
}

export function ProgressBar({ percent, label }: { percent: number; label: string }) {
  return (
    <div
      class="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
    >
      <div class="progress-done" style={{ inlineSize: `${Math.min(100, Math.max(0, percent))}%` }} />
    </div>
  );
}

/** A share of a whole as a ring; its middle repeats the value as text. */
export function Ring({ share, label, children }: { share: number; label: string; children: ComponentChildren }) {
  const around = 2 * Math.PI * 44;
  return (
    <div class="ring" role="img" aria-label={label}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle class="ring-ground" cx="50" cy="50" r="44" />
        {share > 0 && (
          <circle
            class="ring-done"
            cx="50"
            cy="50"
            r="44"
            stroke-dasharray={`${around * Math.min(1, share)} ${around}`}
          />
        )}
      </svg>
      <div class="ring-middle" aria-hidden="true">
        {children}
      </div>
    </div>
  );
}

import type { ComponentChildren } from "preact";
import { useControlContext } from "./control-context.ts";
import { Icon, type IconName } from "./icons.tsx";

export interface ButtonProps {
  children: ComponentChildren;
  onClick?: () => void;
  kind?: "primary" | "plain" | "quiet" | "danger";
  icon?: IconName;
  /** The device requires the token for this. Shows a lock while the browser has none. */
  needsToken?: boolean;
  isBusy?: boolean;
  disabled?: boolean;
  type?: "button" | "submit";
}

export function Button({
  children,
  onClick,
  kind = "plain",
  icon,
  needsToken = false,
  isBusy = false,
  disabled = false,
  type = "button",
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button button-${kind}`}
      onClick={onClick}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {needsToken && <LockSign />}
    </button>
  );
}

export interface IconButtonProps {
  icon: IconName;
  label: string;
  onClick: () => void;
  kind?: "primary" | "plain" | "quiet" | "danger";
  size?: "plain" | "large" | "huge";
  /** For a button that stays down, such as a favorite. */
  isPressed?: boolean;
  needsToken?: boolean;
  disabled?: boolean;
}

export function IconButton({
  icon,
  label,
  onClick,
  kind = "quiet",
  size = "plain",
  isPressed,
  needsToken = false,
  disabled = false,
}: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button icon-button-${size} button-${kind}`}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
      disabled={disabled}
    >
      <Icon name={icon} />
      {needsToken && <LockSign />}
    </button>
  );
}

/** Renders nothing once the browser has the token. */
export function LockSign() {
  const { isLocked, words } = useControlContext();
  if (!isLocked) return null;
  return (
    <span class="lock-sign">
      <Icon name="lock" />
      <span class="screen-reader-only">({words.locked})</span>
    </span>
  );
}

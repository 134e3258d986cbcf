import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { KeyCaps } from "./key-cap.tsx";

export type ButtonKind = "primary" | "plain" | "danger" | "ghost";

export interface ButtonProps extends ComponentProps<"button"> {
  kind?: ButtonKind | undefined;
  size?: "s" | "m" | undefined;
  /** The keyboard shortcut, shown on the button. */
  keys?: readonly string[] | undefined;
  icon?: ReactNode;
  /** The action is in progress: clicks are ignored and the focus stays. */
  isBusy?: boolean | undefined;
}

function joinNames(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

export function Button(props: ButtonProps) {
  const { kind = "plain", size = "m", keys, icon, isBusy, children, className, onClick, ...rest } = props;
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={joinNames("button", `button-${kind}`, size === "s" && "button-small", className)}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || rest["aria-disabled"]}
      onClick={click}
    >
      {isBusy ? (
        <span className="button-busy" aria-hidden="true" />
      ) : (
        icon && <span className="button-icon">{icon}</span>
      )}
      {children}
      {keys && <KeyCaps keys={keys} />}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  label: string;
  icon: ReactNode;
  keys?: readonly string[] | undefined;
  size?: "s" | "m" | undefined;
  isPressed?: boolean | undefined;
}

/** An icon button. Its tooltip is its accessible name and includes the shortcut. */
export function IconButton({ label, icon, keys, size = "m", isPressed, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={joinNames("button", "button-ghost", "button-square", size === "s" && "button-small", className)}
      aria-label={label}
      aria-pressed={isPressed}
      title={keys ? `${label} (${keys.join(" ")})` : label}
    >
      <span className="button-icon">{icon}</span>
    </button>
  );
}

import type { ReactNode } from "react";
import { Button, type ButtonProps } from "../../design/button.tsx";
import { commandKeys } from "./chord-caps.tsx";
import type { Command } from "./commands.ts";
import { useRunCommand } from "./commands-context.tsx";

export interface CommandButtonProps extends Pick<ButtonProps, "kind" | "size" | "isBusy" | "onKeyDown"> {
  command: Command;
  /** Default: the label of the command. */
  children?: ReactNode;
}

/** A button that does what the key of its command does. A disabled one keeps the focus, so that its reason can be read. */
export function CommandButton({ command, children, ...rest }: CommandButtonProps) {
  const run = useRunCommand();
  return (
    <Button
      {...rest}
      {...commandKeys(command)}
      aria-disabled={command.isEnabled === false || undefined}
      title={command.reason}
      onClick={() => run(command)}
    >
      {children ?? command.label}
    </Button>
  );
}

import type { ReactNode } from "react";
import type { ButtonKind } from "../../design/button.tsx";
import { CommandButton } from "../keys/command-button.tsx";
import type { Command } from "../keys/commands.ts";
import { useCommands } from "../keys/commands-context.tsx";
import { useChanges } from "./use-changes.tsx";

export interface MainCommand extends Pick<Command, "id" | "label" | "group" | "run"> {
  /** Of its button. Default: primary. */
  kind?: ButtonKind;
  /** Default: true. */
  isOffered?: boolean;
}

/** Registers the main change of a page under the key `n`, and returns its button; null without the permission. */
export function useMainCommand({ kind = "primary", isOffered = true, ...main }: MainCommand): ReactNode {
  const { mayWrite, reason } = useChanges();
  const command: Command = { ...main, keys: ["n"], isEnabled: reason === undefined, reason };
  const isShown = mayWrite && isOffered;
  useCommands(isShown ? [command] : []);
  return isShown ? <CommandButton kind={kind} command={command} /> : null;
}

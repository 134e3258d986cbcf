import { CommandButton } from "../../../app/keys/command-button.tsx";
import type { Command } from "../../../app/keys/commands.ts";

/** The commands of an endpoint as buttons. */
export function VerbButtons({ commands, hasAdapter }: { commands: readonly Command[]; hasAdapter: boolean }) {
  return commands.map((command) => (
    <CommandButton key={command.id} command={command} kind={command.id === "endpoints.isolate" ? "danger" : "plain"}>
      {command.label}
      {hasAdapter && " ↗"}
    </CommandButton>
  ));
}

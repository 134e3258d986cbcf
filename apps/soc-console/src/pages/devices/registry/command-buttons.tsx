import { CommandButton } from "../../../app/keys/command-button.tsx";
import type { Command } from "../../../app/keys/commands.ts";

/** The commands of a device as buttons. */
export function CommandButtons({ commands }: { commands: readonly Command[] }) {
  return commands.map((command) => (
    <CommandButton
      key={command.id}
      command={command}
      kind={command.id === "devices.revoke" ? "danger" : command.id === "devices.new" ? "primary" : "plain"}
    />
  ));
}

import { commandKeys } from "../../../app/keys/chord-caps.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { Button } from "../../../design/button.tsx";

/** The commands of a device as buttons. */
export function CommandButtons({ commands }: { commands: readonly Command[] }) {
  return commands.map((command) => (
    <Button
      key={command.id}
      {...commandKeys(command)}
      kind={command.id === "devices.revoke" ? "danger" : command.id === "devices.new" ? "primary" : "plain"}
      aria-disabled={command.isEnabled === false}
      title={command.reason}
      onClick={() => command.isEnabled !== false && void command.run()}
    >
      {command.label}
    </Button>
  ));
}

import { commandKeys } from "../../../app/keys/chord-caps.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { Button } from "../../../design/button.tsx";

/** The commands of an endpoint as buttons. */
export function VerbButtons({ commands, hasAdapter }: { commands: readonly Command[]; hasAdapter: boolean }) {
  return commands.map((command) => (
    <Button
      key={command.id}
      {...commandKeys(command)}
      kind={command.id === "endpoints.isolate" ? "danger" : "plain"}
      aria-disabled={command.isEnabled === false}
      title={command.reason}
      onClick={() => command.isEnabled !== false && void command.run()}
    >
      {command.label}
      {hasAdapter && " ↗"}
    </Button>
  ));
}

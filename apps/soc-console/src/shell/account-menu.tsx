import { useMe } from "../app/context/app-context.ts";
import { commandKeys } from "../app/keys/chord-caps.tsx";
import { useCommandList, useRunCommand } from "../app/keys/commands-context.tsx";
import { usePhrases } from "../app/language/language-context.tsx";
import { Avatar } from "../design/avatar.tsx";
import { Menu } from "../design/menu.tsx";
import { shellPhrases } from "./shell-phrases.ts";

const SHOWN = ["settings", "theme", "language", "zone", "sign-out"];

/** The signed-in user and the actions on the account. */
export function AccountMenu() {
  const words = usePhrases(shellPhrases);
  const { username, role } = useMe();
  const commands = useCommandList();
  const run = useRunCommand();
  const items = SHOWN.flatMap((id) => commands.filter((command) => command.id === id)).map((command) => ({
    label: command.label,
    keys: commandKeys(command).keys,
    onSelect: () => run(command),
  }));
  return (
    <Menu
      label={words.account}
      trigger={
        <span className="rail-account">
          <Avatar name={username} />
          <span className="rail-name">
            {username} <small className="rail-role">{role}</small>
          </span>
        </span>
      }
      items={items}
    />
  );
}

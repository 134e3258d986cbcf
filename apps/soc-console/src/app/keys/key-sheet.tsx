import { useState } from "react";
import { Dialog } from "../../design/dialog.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { ChordCaps } from "./chord-caps.tsx";
import type { Command } from "./commands.ts";
import { useCommandList, useCommands } from "./commands-context.tsx";
import { keysPhrases } from "./keys-phrases.ts";
import { groupTogether } from "./palette-options.ts";

/** The shortcut sheet (`?`): every command that has a key, by group. */
export function KeySheet() {
  const words = usePhrases(keysPhrases);
  const [isOpen, setIsOpen] = useState(false);
  useCommands([
    { id: "keys.sheet", label: words.openSheet, group: words.console, keys: ["?"], run: () => setIsOpen(true) },
  ]);
  return (
    <Dialog title={words.keyboard} isOpen={isOpen} onClose={() => setIsOpen(false)} width="l">
      <SheetGroups />
    </Dialog>
  );
}

function SheetGroups() {
  const withKeys = useCommandList().filter(({ keys = [] }) => keys.length > 0);
  return (
    <div className="keys-sheet">
      {groupTogether(withKeys).map(([group, commands]) => (
        <section key={group} className="keys-group">
          <h3 className="keys-heading">{group}</h3>
          <dl className="keys-lines">
            {commands.map((command) => (
              <SheetLine key={command.id} command={command} />
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function SheetLine({ command }: { command: Command }) {
  return (
    <div className={command.isEnabled === false ? "keys-line keys-line-off" : "keys-line"} title={command.reason}>
      <dt>{command.label}</dt>
      <dd className="keys-chords">
        {command.keys?.map((chord) => (
          <ChordCaps key={chord} chord={chord} />
        ))}
      </dd>
    </div>
  );
}

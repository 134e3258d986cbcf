import { ChordCaps } from "../app/keys/chord-caps.tsx";
import { useCommandList } from "../app/keys/commands-context.tsx";
import { useShownStatus } from "../app/status/status.tsx";

const MAX_KEYS = 7;

/** The shortcuts of this page and its status text. */
export function StatusLine() {
  const commands = useCommandList();
  const shown = useShownStatus();
  const keys = commands.filter(({ isInStatusLine }) => isInStatusLine).slice(0, MAX_KEYS);
  return (
    <footer className="status-line">
      <ul className="status-keys">
        {keys.map(({ id, keys: [chord = ""] = [], label }) => (
          <li key={id}>
            <ChordCaps chord={chord} /> {label}
          </li>
        ))}
      </ul>
      <p className="status-shown" role="status">
        {shown}
      </p>
    </footer>
  );
}

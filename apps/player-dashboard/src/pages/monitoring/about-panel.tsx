import { usePhrases } from "../../app/app.ts";
import { Panel } from "../../design/layout.tsx";
import { monitoringPhrases } from "./monitoring-phrases.ts";

/** What an owner should read before enrolling. */
export function AboutPanel() {
  const phrases = usePhrases(monitoringPhrases);
  return (
    <Panel title={phrases.about}>
      <div class="stack">
        <p>{phrases.aboutHint}</p>
        <Things title={phrases.whatIsSent} lines={phrases.sentThings} sign="sent" />
        <Things title={phrases.neverSent} lines={phrases.neverThings} sign="never" />
      </div>
    </Panel>
  );
}

function Things({ title, lines, sign }: { title: string; lines: readonly string[]; sign: "sent" | "never" }) {
  return (
    <div>
      <h3 class="monitoring-subtitle">{title}</h3>
      <ul class={`monitoring-things monitoring-things-${sign}`}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

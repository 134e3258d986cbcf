import type { SentBody, SentMessage } from "@player/service/contract/monitoring";
import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { bytesWords } from "../../app/language/bytes.ts";
import { counted } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { Button } from "../../design/button.tsx";
import { EmptyState, Panel } from "../../design/layout.tsx";
import { joinPages } from "./join-pages.ts";
import { momentWords } from "./moment-words.ts";
import { monitoringPhrases } from "./monitoring-phrases.ts";
import { prettyContent } from "./pretty-content.ts";

/** Every sent message, verbatim. */
export function SentPanel({ newest }: { newest: SentBody }) {
  const { api, commands } = useApp();
  const phrases = usePhrases(monitoringPhrases);
  const [older, setOlder] = useState<SentBody[]>([]);
  const { items, next_cursor } = joinPages(newest, newest.items.length === 0 ? [] : older);

  const loadOlder = () =>
    commands.run(async () => {
      const page = await api.get<SentBody>(`/monitoring/sent?cursor=${next_cursor}`);
      setOlder([...(newest.items.length === 0 ? [] : older), page]);
    });

  return (
    <Panel title={phrases.sent}>
      {items.length === 0 ? (
        <EmptyState icon="archive" title={phrases.sentNothing} />
      ) : (
        <div class="stack">
          <p>{phrases.sentHint}</p>
          <ul class="sent-list">
            {items.map((message) => (
              <li key={message.id}>
                <Message message={message} />
              </li>
            ))}
          </ul>
          {next_cursor === null ? (
            <Removed removed={newest.removed} />
          ) : (
            <div class="actions">
              <Button icon="down" needsToken onClick={() => void loadOlder()}>
                {phrases.older}
              </Button>
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}

function Message({ message: { at, kind, bytes, delivered, content } }: { message: SentMessage }) {
  const { live } = useApp();
  const phrases = usePhrases(monitoringPhrases);
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const time = momentWords(live.settings.view.value, at, language);
  return (
    <details class="sent-message" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="sent-summary">
        <span class="row-words">
          <strong>{phrases.kinds[kind]}</strong>
          <span class="row-aside">
            {fill(phrases.sentAt, { time, size: bytesWords(bytes, language) })}
            {!delivered && ` (${phrases.notDelivered})`}
          </span>
        </span>
      </summary>
      {isOpen && (
        <pre class="sent-content" lang="en" dir="ltr">
          {prettyContent(content)}
        </pre>
      )}
    </details>
  );
}

function Removed({ removed: { count, until } }: Pick<SentBody, "removed">) {
  const { live } = useApp();
  const phrases = usePhrases(monitoringPhrases);
  const language = useLanguage();
  if (count === 0 || until === null) return null;
  const time = momentWords(live.settings.view.value, until, language);
  return <p class="row-aside">{fill(counted(count, phrases.olderRemoved, language), { time })}</p>;
}

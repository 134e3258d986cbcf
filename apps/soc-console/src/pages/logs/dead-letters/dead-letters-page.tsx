import { useState } from "react";
import { useChanges, withChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { commandKeys } from "../../../app/keys/chord-caps.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Badge } from "../../../design/chip.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { DeadLetterPane } from "./dead-letter-pane.tsx";
import { type DeadLetter, listDeadLetters } from "./dead-letters-client.ts";
import { deadLettersPhrases } from "./dead-letters-phrases.ts";
import { ReplayDialog } from "./replay-dialog.tsx";
import "./dead-letters.css";

export const DeadLettersPage = withChanges("siem:ingest", DeadLetters);

const readKey = ({ id }: DeadLetter) => id;

/** The events to replay: the selected ones, or all. */
interface ReplayRequest {
  ids: readonly string[] | undefined;
  clear: () => void;
}

function DeadLetters() {
  const words = usePhrases(deadLettersPhrases);
  const { server } = useApp();
  const { mayWrite, reason } = useChanges();
  const [asked, setAsked] = useState<ReplayRequest>();
  const pages = useRecordPages<DeadLetter>("dead-letters", {}, (query, signal) =>
    listDeadLetters(server, query, signal),
  );
  const renderRow = useLetterRow();
  const replayAll: Command = {
    id: "dead-letters.replay-all",
    label: words.replayAll,
    group: words.deadLetters,
    keys: ["⇧R"],
    isEnabled: reason === undefined,
    reason,
    run: () => setAsked({ ids: undefined, clear: () => undefined }),
  };
  const isOffered = mayWrite && pages.count > 0;
  useCommands(isOffered ? [replayAll] : []);
  const isFixed = { disabled: reason !== undefined, title: reason };
  const { fields } = words;
  return (
    <SettingsPage
      tab="dead-letters"
      isFull
      tools={
        isOffered && (
          <Button {...commandKeys(replayAll)} {...isFixed} onClick={() => void replayAll.run()}>
            {words.replayAll}
          </Button>
        )
      }
    >
      <RecordList
        label={words.deadLetters}
        noun="dead-letters"
        columns={[
          { key: "at", title: fields.at, width: "minmax(90px, 164px)" },
          { key: "source", title: fields.source, width: "minmax(80px, 160px)" },
          { key: "reason", title: fields.reason, width: "minmax(140px, 1fr)" },
          { key: "event", title: fields.event, width: "minmax(0, 1fr)" },
          { key: "sender", title: fields.sender, width: "minmax(0, 130px)" },
        ]}
        pages={pages}
        rowKey={readKey}
        rowName={({ reason: why }) => safeText(why)}
        renderRow={renderRow}
        renderPane={(letter) => <DeadLetterPane key={letter.id} letter={letter} onStored={pages.reload} />}
        renderActions={
          mayWrite
            ? (ids, clear) => (
                <Button size="s" {...isFixed} onClick={() => setAsked({ ids, clear })}>
                  {words.replay}
                </Button>
              )
            : undefined
        }
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      />
      {asked && (
        <ReplayDialog
          ids={asked.ids}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            asked.clear();
            pages.reload();
          }}
        />
      )}
    </SettingsPage>
  );
}

/** The row shows only the beginning of a long event. */
const MAX_SHOWN = 200;

function useLetterRow() {
  const words = usePhrases(deadLettersPhrases);
  const time = useTime();
  return (letter: DeadLetter) => (
    <>
      <time dateTime={letter.at}>{time.dateTime(letter.at)}</time>
      <SafeText isMono>{letter.source}</SafeText>
      <SafeText>{letter.reason}</SafeText>
      <span className="dead-letters-raw soft">
        {letter.is_cut && <Badge tone="waiting">{words.cut}</Badge>}
        <SafeText isMono>{letter.raw.slice(0, MAX_SHOWN)}</SafeText>
      </span>
      <SafeText isMono>{letter.sender}</SafeText>
    </>
  );
}

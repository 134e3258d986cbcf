import { useId, useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { quoteValue } from "../../../app/query-editor/query-place.ts";
import { type ApiError, errorWords } from "../../../app/server/api-error.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { TextArea } from "../../../design/field.tsx";
import { Facts } from "../../../design/panel.tsx";
import { Notice } from "../../../design/states.tsx";
import { type DeadLetter, replayDeadLetter } from "./dead-letters-client.ts";
import { deadLettersPhrases } from "./dead-letters-phrases.ts";

export interface DeadLetterPaneProps {
  letter: DeadLetter;
  onStored: () => void;
}

/** A rejected event: the reason, and the event itself, to fix and replay it. */
export function DeadLetterPane({ letter, onStored }: DeadLetterPaneProps) {
  const words = usePhrases(deadLettersPhrases);
  const { mayWrite, reason } = useChanges();
  const form = useId();
  const { raw, setRaw, trouble, isBusy, replay } = useReplay(letter, onStored);
  const isChanged = raw !== letter.raw;
  const edit: Command = {
    id: "dead-letters.edit",
    label: words.fields.event,
    group: words.deadLetters,
    keys: ["e"],
    isHidden: true,
    run: () => document.getElementById(form)?.focus(),
  };
  const again: Command = {
    id: "dead-letters.replay",
    label: isChanged ? words.replayChanged : words.replay,
    group: words.deadLetters,
    keys: ["r"],
    isEnabled: reason === undefined,
    reason,
    run: replay,
  };
  useCommands(mayWrite ? [edit, again] : []);
  return (
    <article className="dead-letters-pane">
      <h2 className="dead-letters-title">
        <SafeText>{letter.reason}</SafeText>
      </h2>
      {letter.is_cut && <Notice tone="waiting">{words.cutText}</Notice>}
      <LetterFacts letter={letter} />
      {mayWrite ? (
        <>
          <TextArea
            id={form}
            label={words.fields.event}
            hint={words.eventHint}
            error={trouble}
            rows={12}
            dir="ltr"
            spellCheck={false}
            className="dead-letters-event"
            value={raw}
            onChange={(event) => setRaw(event.currentTarget.value)}
          />
          <div className="dead-letters-actions">
            <Button
              kind="primary"
              keys={["R"]}
              isBusy={isBusy}
              disabled={reason !== undefined || raw.trim() === "" || (letter.is_cut && !isChanged)}
              title={reason}
              onClick={() => void replay()}
            >
              {again.label}
            </Button>
            {isChanged && <Button onClick={() => setRaw(letter.raw)}>{words.restore}</Button>}
          </div>
        </>
      ) : (
        <pre className="dead-letters-event">
          <SafeText isMono>{letter.raw}</SafeText>
        </pre>
      )}
    </article>
  );
}

function LetterFacts({ letter }: { letter: DeadLetter }) {
  const words = usePhrases(deadLettersPhrases);
  const time = useTime();
  const { fields } = words;
  return (
    <Facts
      items={[
        { label: fields.at, value: time.dateTime(letter.at) },
        {
          label: fields.source,
          value: (
            <>
              <SafeText isMono>{letter.source}</SafeText> ·{" "}
              <Link to="/hunt" search={{ q: `source:${quoteValue(letter.source)}`, from: "-24h" }}>
                {words.search}
              </Link>
            </>
          ),
        },
        { label: fields.sender, value: <SafeText isMono>{letter.sender}</SafeText> },
        { label: fields.format, value: <SafeText isMono>{letter.format}</SafeText> },
        ...(letter.site === "" ? [] : [{ label: fields.site, value: <SafeText>{letter.site}</SafeText> }]),
      ]}
    />
  );
}

function useReplay(letter: DeadLetter, onStored: () => void) {
  const words = usePhrases(deadLettersPhrases);
  const { server } = useApp();
  const { send } = useChanges();
  const { notify } = useNotices();
  const [raw, setRaw] = useState(letter.raw);
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const onRefused = (error: ApiError) => {
    setTrouble(errorWords(error));
    return error.status === 400 || error.status === 409;
  };
  const replay = async () => {
    setIsBusy(true);
    setTrouble(undefined);
    const changed = raw === letter.raw ? undefined : raw;
    const answer = await send(() => replayDeadLetter(server, letter.id, changed), { onRefused }).finally(() =>
      setIsBusy(false),
    );
    if (!answer) return;
    if (answer.rejected > 0) {
      setTrouble(words.refusedAgain);
      return;
    }
    notify({ tone: "ok", text: words.storedOne });
    onStored();
  };
  return { raw, setRaw, trouble, isBusy, replay };
}

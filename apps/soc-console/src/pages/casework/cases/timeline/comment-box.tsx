import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { commandKeys } from "../../../../app/keys/chord-caps.tsx";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { Button } from "../../../../design/button.tsx";
import { TextArea } from "../../../../design/field.tsx";
import { casePhrases } from "../case-phrases.ts";
import { type Comment, useCasesClient, usePeople } from "../cases-client.ts";
import { keepDraft, readDraft } from "./drafts.ts";
import { completeMention, findMention, type Mention, suggestNames } from "./mention.ts";
import { timelinePhrases } from "./timeline-phrases.ts";

const MAX_LENGTH = 20_000;

interface CommentBoxProps {
  caseId: string;
  onSent: (comment: Comment) => void;
}

/** The comment editor. The text stays until the service has stored it. */
export function CommentBox({ caseId, onSent }: CommentBoxProps) {
  const words = { ...usePhrases(timelinePhrases), ...usePhrases(casePhrases) };
  const client = useCasesClient();
  const { send, reason } = useChanges();
  const mode = useMode();
  const [text, setText] = useState(() => readDraft(caseId));
  const [isBusy, setIsBusy] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const write = (next: string) => {
    setText(next);
    keepDraft(caseId, next);
  };
  const mentions = useMentions(text, write, box.current);
  useCommands([
    {
      id: "case.comment",
      label: words.writeComment,
      group: words.caseGroup,
      keys: ["m"],
      isInStatusLine: true,
      run: () => box.current?.focus(),
    },
  ]);
  const submit = async () => {
    if (text.trim() === "" || isBusy || reason !== undefined) return;
    setIsBusy(true);
    const comment = await send(() => client.comment(caseId, text)).finally(() => setIsBusy(false));
    if (!comment) return;
    write("");
    onSent(comment);
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (mentions.press(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void submit();
    }
  };
  return (
    <form
      className="case-comment"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextArea
        ref={box}
        label={words.comment}
        isLabelHidden
        rows={text === "" ? 2 : 5}
        maxLength={MAX_LENGTH}
        placeholder={words.commentHint}
        value={text}
        disabled={reason !== undefined}
        title={reason}
        dir={text === "" ? undefined : "auto"}
        aria-autocomplete="list"
        aria-controls={mentions.listId}
        aria-activedescendant={mentions.activeId}
        onChange={(event) => {
          write(event.currentTarget.value);
          mentions.look(event.currentTarget);
        }}
        onKeyDown={press}
        onBlur={mentions.hide}
      />
      {mentions.list}
      {text !== "" && (
        <div className="case-comment-foot">
          <Button kind="primary" type="submit" isBusy={isBusy} keys={commandKeys({ keys: ["mod+Enter"] }).keys}>
            {mode === "dry_run" ? words.sendPreview : words.send}
          </Button>
        </div>
      )}
    </form>
  );
}

/** Suggests user names while a mention is typed. */
function useMentions(text: string, write: (text: string) => void, box: HTMLTextAreaElement | null) {
  const words = usePhrases(timelinePhrases);
  const id = useId();
  const [mention, setMention] = useState<Mention>();
  const [at, setAt] = useState(0);
  const people = usePeople(mention !== undefined);
  const names = mention
    ? suggestNames(
        people.map(({ username }) => username),
        mention.typed,
      )
    : [];
  const isOpen = names.length > 0;
  const hide = () => setMention(undefined);
  const choose = (name: string | undefined) => {
    if (!mention || name === undefined) return;
    const done = completeMention(text, mention, name);
    write(done.text);
    hide();
    // React renders the new text after this task.
    queueMicrotask(() => {
      box?.focus();
      box?.setSelectionRange(done.caret, done.caret);
    });
  };
  const moves = new Map([
    ["ArrowDown", () => setAt((at + 1) % names.length)],
    ["ArrowUp", () => setAt((at - 1 + names.length) % names.length)],
    ["Enter", () => choose(names[at])],
    ["Tab", () => choose(names[at])],
    ["Escape", hide],
  ]);
  return {
    listId: isOpen ? id : undefined,
    activeId: isOpen ? `${id}-${at}` : undefined,
    hide,
    look(field: HTMLTextAreaElement) {
      setMention(findMention(field.value, field.selectionStart));
      setAt(0);
    },
    /** Whether the suggestions handled the key. */
    press(event: KeyboardEvent): boolean {
      const move = isOpen && !event.ctrlKey && !event.metaKey ? moves.get(event.key) : undefined;
      if (!move) return false;
      event.preventDefault();
      event.stopPropagation();
      move();
      return true;
    },
    list: isOpen && (
      <div id={id} className="case-mentions" role="listbox" aria-label={words.suggestions} tabIndex={-1}>
        {names.map((name, index) => (
          <div
            key={name}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(name);
            }}
          >
            <bdi dir="ltr">@{name}</bdi>
          </div>
        ))}
      </div>
    ),
  };
}

import { History, Plus, Send, Square, X } from "lucide-react";
import { type Dispatch, type KeyboardEvent, type SetStateAction, useEffect, useMemo, useRef, useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { Button, IconButton } from "../../../design/button.tsx";
import { TextArea } from "../../../design/field.tsx";
import { MAX_MESSAGE } from "./chat-client.ts";
import { ChatHistory } from "./chat-history.tsx";
import { ChatMessages } from "./chat-messages.tsx";
import { chatPhrases } from "./chat-phrases.ts";
import { nameSubject, readSubject, type Subject } from "./page-subject.ts";
import { type Chat, useChat } from "./use-chat.ts";
import "./chat.css";

export interface ChatDrawerProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The chat beside every page. It stays mounted when the page changes and keeps its text while closed. */
export function ChatDrawer({ isOpen, onClose }: ChatDrawerProps) {
  const words = usePhrases(chatPhrases);
  const chat = useChat();
  const [isHistory, setIsHistory] = useState(false);
  const [text, setText] = useState("");
  const drawer = useRef<HTMLElement>(null);
  const before = useRef<Element>(null);
  useEffect(() => {
    if (!isOpen) return;
    before.current = document.activeElement;
    drawer.current?.querySelector("textarea")?.focus();
  }, [isOpen]);
  const close = () => {
    onClose();
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    if (isHistory) setIsHistory(false);
    else close();
  };
  return (
    <aside ref={drawer} className="chat" aria-label={words.chat} hidden={!isOpen} onKeyDown={press}>
      <header className="chat-head">
        <h2>{isHistory ? words.conversations : words.chat}</h2>
        <IconButton
          size="s"
          icon={<Plus />}
          label={words.newConversation}
          onClick={() => {
            chat.begin();
            setIsHistory(false);
          }}
        />
        <IconButton
          size="s"
          icon={<History />}
          label={words.conversations}
          aria-pressed={isHistory}
          onClick={() => setIsHistory(!isHistory)}
        />
        <IconButton size="s" icon={<X />} label={words.close} keys={["Esc"]} onClick={close} />
      </header>
      {isHistory ? (
        <ChatHistory
          chat={chat}
          onOpen={(id) => {
            chat.open(id);
            setIsHistory(false);
          }}
        />
      ) : (
        <Conversation chat={chat} text={text} onText={setText} />
      )}
    </aside>
  );
}

interface ConversationProps {
  chat: Chat;
  text: string;
  onText: Dispatch<SetStateAction<string>>;
}

function Conversation({ chat, text, onText }: ConversationProps) {
  const { path, search } = useAddress();
  const subject = useMemo(() => readSubject(path, search), [path, search]);
  const send = async (message: string) => {
    const wanted = message.trim();
    if (wanted === "" || chat.isWriting) return;
    onText("");
    const isAccepted = await chat.send(nameSubject(wanted, subject).slice(0, MAX_MESSAGE));
    // The session has ended: the sign-in dialog opens, and the question stays in the field unless the user typed a new
    // one.
    if (!isAccepted) onText((typed) => (typed === "" ? wanted : typed));
  };
  return (
    <>
      {chat.messages.length === 0 ? (
        <Welcome subject={subject} onAsk={(message) => void send(message)} />
      ) : (
        <>
          <Answerer messages={chat.messages} />
          <ChatMessages messages={chat.messages} onAgain={(message) => void send(message)} />
        </>
      )}
      <Composer chat={chat} subject={subject} text={text} onText={onText} onSend={() => void send(text)} />
    </>
  );
}

interface ComposerProps {
  chat: Chat;
  subject: Subject | undefined;
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
}

const SHOWN_VALUE = 40;

function Composer({ chat, subject, text, onText, onSend }: ComposerProps) {
  const words = usePhrases(chatPhrases);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  const hint = subject
    ? fill(words.meaning, {
        kind: words.subjects[subject.kind],
        value: isolated(safeText(subject.value.slice(0, SHOWN_VALUE))),
      })
    : words.sendHint;
  return (
    <div className="chat-composer">
      <TextArea
        label={words.question}
        isLabelHidden
        placeholder={words.question}
        hint={text.length > MAX_MESSAGE * 0.9 ? `${text.length} / ${MAX_MESSAGE}` : hint}
        rows={3}
        maxLength={MAX_MESSAGE}
        dir="auto"
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={press}
      />
      {chat.isWriting ? (
        <Button kind="danger" icon={<Square />} onClick={chat.stop}>
          {words.stop}
        </Button>
      ) : (
        <Button kind="primary" icon={<Send />} disabled={text.trim() === ""} keys={["↵"]} onClick={onSend}>
          {words.send}
        </Button>
      )}
    </div>
  );
}

interface WelcomeProps {
  subject: Subject | undefined;
  onAsk: (message: string) => void;
}

/** Example questions, which work with and without a language model. */
function Welcome({ subject, onAsk }: WelcomeProps) {
  const words = usePhrases(chatPhrases);
  const asked = [...(subject ? words.aboutPage[subject.kind] : []), ...words.examples];
  return (
    <div className="chat-welcome">
      <p>{words.works}</p>
      <p className="soft">{words.readsOnly}</p>
      <ul className="chat-examples" aria-label={words.examplesLabel}>
        {asked.map((example) => (
          <li key={example}>
            <Button size="s" onClick={() => onAsk(example)}>
              <bdi>{example}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Shows the answering model, or that answers are rule-based and what works without a model. */
function Answerer({ messages }: Pick<Chat, "messages">) {
  const words = usePhrases(chatPhrases);
  const model = messages.findLast((message) => message.model !== undefined)?.model;
  if (model === undefined) return null;
  if (model !== null)
    return <p className="chat-answerer soft">{fill(words.model, { model: isolated(safeText(model)) })}</p>;
  return (
    <details className="chat-answerer">
      <summary>{words.noModel}</summary>
      <p className="soft">{words.works}</p>
    </details>
  );
}

import { useEffect, useMemo, useRef } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { Markdown } from "../../../app/text/markdown.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { type Block, prepareAnswer, splitBlocks } from "./blocks.ts";
import { type ChatMessage, toPath } from "./chat-message.ts";
import { chatPhrases } from "./chat-phrases.ts";

/** A reader this close to the end follows new text. */
const NEAR_PX = 80;
const MAX_SOURCES = 12;

export interface ChatMessagesProps {
  messages: readonly ChatMessage[];
  onAgain: (message: string) => void;
}

export function ChatMessages({ messages, onAgain }: ChatMessagesProps) {
  const words = usePhrases(chatPhrases);
  const list = useRef<HTMLOListElement>(null);
  const isFollowing = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows every change of the messages.
  useEffect(() => {
    if (list.current && isFollowing.current) list.current.scrollTop = list.current.scrollHeight;
  }, [messages]);
  return (
    <ol
      ref={list}
      className="chat-messages"
      aria-label={words.messages}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, so keys must reach it.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      {messages.map((message, at) => (
        <li key={message.key} className={`chat-message chat-${message.role}`}>
          {message.role === "user" ? (
            <p className="chat-question">
              <SafeText>{message.text}</SafeText>
            </p>
          ) : (
            <Answer message={message} question={messages[at - 1]?.text} onAgain={onAgain} />
          )}
        </li>
      ))}
    </ol>
  );
}

interface AnswerProps {
  message: ChatMessage;
  question: string | undefined;
  onAgain: (message: string) => void;
}

function Answer({ message, question, onAgain }: AnswerProps) {
  const words = usePhrases(chatPhrases);
  const { go } = useAddress();
  const { text, citations, state, tool, detail } = message;
  const blocks = useMemo(() => splitBlocks(text, state !== "writing"), [text, state]);
  const isEnded = state === "stopped" || state === "cut" || state === "failed";
  return (
    <div className="chat-answer">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only appended.
        <AnswerBlock key={at} block={block} message={message} onNavigate={go} />
      ))}
      {state === "writing" && (
        <p className="chat-work soft" role="status">
          <span className="button-busy" aria-hidden="true" />
          {tool === undefined ? words.writing : fill(words.looking, { tool: tool.replaceAll("_", " ") })}
        </p>
      )}
      {isEnded && (
        <div className={state === "stopped" ? "chat-end" : "chat-end chat-failed"} role="status">
          <span>
            {words.ends[state]} {detail !== undefined && <SafeText>{detail}</SafeText>}
          </span>
          {question !== undefined && (
            <Button size="s" onClick={() => onAgain(question)}>
              {words.again}
            </Button>
          )}
        </div>
      )}
      {citations.length > 0 && state !== "writing" && (
        <p className="chat-sources">
          <span className="soft">{words.sources}</span>
          {citations.slice(0, MAX_SOURCES).map((citation, at) => (
            <Link key={`${citation.kind} ${citation.id}`} to={toPath(citation)} title={citation.id}>
              <bdi dir="ltr">[{at + 1}]</bdi> {words.kinds[citation.kind]}
            </Link>
          ))}
          {citations.length > MAX_SOURCES && <span className="soft">+{citations.length - MAX_SOURCES}</span>}
        </p>
      )}
    </div>
  );
}

interface AnswerBlockProps {
  block: Block;
  message: ChatMessage;
  onNavigate: (path: string) => void;
}

/** Complete blocks are rendered. The growing block is plain text, so that nothing jumps. */
function AnswerBlock({ block, message, onNavigate }: AnswerBlockProps) {
  if (!block.isFinished)
    return (
      <p className="text-plain">
        <SafeText>{block.text}</SafeText>
      </p>
    );
  const findPath = (number: number) => {
    const citation = message.citations[number - 1];
    return citation && toPath(citation);
  };
  return <Markdown text={prepareAnswer(block.text, findPath)} onNavigate={onNavigate} />;
}

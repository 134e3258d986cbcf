import { Trash2 } from "lucide-react";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { IconButton } from "../../../design/button.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { chatPhrases } from "./chat-phrases.ts";
import type { Chat } from "./use-chat.ts";

const MAX_TITLE = 60;

/** The conversations of this visit, newest first. */
export function ChatHistory({ chat, onOpen }: { chat: Chat; onOpen: (id: string) => void }) {
  const words = usePhrases(chatPhrases);
  const time = useTime();
  if (chat.kept.length === 0) return <EmptyState title={words.noConversations} text={words.noConversationsText} />;
  return (
    <>
      <ul className="chat-conversations" aria-label={words.conversations}>
        {chat.kept.map(({ id, title, at }) => (
          <li key={id} className="chat-conversation">
            <button
              type="button"
              className="chat-open"
              aria-current={id === chat.conversationId}
              onClick={() => onOpen(id)}
            >
              <span className="chat-cut">
                <SafeText>{title}</SafeText>
              </span>
              <span className="mono soft">{time.time(at)}</span>
            </button>
            <IconButton
              size="s"
              icon={<Trash2 />}
              label={fill(words.forget, { title: safeText(title.slice(0, MAX_TITLE)) })}
              onClick={() => chat.forget(id)}
            />
          </li>
        ))}
      </ul>
      <p className="soft">{words.keptText}</p>
    </>
  );
}
